// The onion: layers around a core, generic in what travels in and what comes back.
//
// A layer does something, calls `next()` for everything inside it, does something more, and
// returns the result. The lowest priority is outermost; equal priorities keep their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/error.h>

namespace goondan {

// `Outcome` must be constructible by `Context`-aware code from an `Error`; the pipeline is given
// that function, since only its user knows how a failed outcome looks.
//
// Thread rule: fill it first; `run` is const and may then be called from any thread.
template <class Context, class Outcome>
class Pipeline {
 public:
  class Next;
  using Layer = std::function<Outcome(Context&, Next&)>;

  // The rest of the onion, as one layer sees it. Borrowed for the layer's run.
  class Next {
   public:
    // Runs everything inside this layer, once. A second call runs nothing: it is answered with
    // `E_MIDDLEWARE_NEXT_TWICE`, so that a tool never acts twice by accident.
    Outcome operator()() {
      if (state_ == State::Ran) return run_.misuse(index_, ErrorCode::MiddlewareNextTwice);
      state_ = State::Ran;
      return run_.layer(index_ + 1);
    }

    // Answers in place of everything inside. A layer that returns with neither `next()` nor this
    // has forgotten something: its outcome becomes `E_MIDDLEWARE_NEXT_MISSING`.
    Outcome instead(Outcome outcome) {
      if (state_ == State::Untouched) state_ = State::Answered;
      return outcome;
    }

   private:
    friend class Pipeline;
    enum class State { Untouched, Ran, Answered };
    struct Run;

    Next(Run& run, std::size_t index) : run_(run), index_(index) {}

    Run& run_;
    std::size_t index_;
    State state_ = State::Untouched;
  };

  void add(std::string name, Layer layer, int priority = 0) {
    const auto after = std::find_if(layers_.begin(), layers_.end(), [priority](const Named& other) {
      return other.priority > priority;
    });
    layers_.insert(after, Named{std::move(name), std::move(layer), priority});
  }

  [[nodiscard]] bool empty() const { return layers_.empty(); }
  [[nodiscard]] std::size_t size() const { return layers_.size(); }

  // Runs the layers around `core`, which must not throw. An exception of a layer passes through;
  // if `thrower` is given it then holds the name of the innermost layer that the exception left.
  // `core(Context&)` and `misuse(Context&, Error)` return an `Outcome`.
  template <class Core, class Misuse>
  Outcome run(Context& context, Core core, Misuse misuse, std::string* thrower = nullptr) const {
    typename Next::Run run{
        *this,
        context,
        &core,
        [](const void* self, Context& inner) { return (*static_cast<const Core*>(self))(inner); },
        &misuse,
        [](const void* self, Context& inner, Error error) {
          return (*static_cast<const Misuse*>(self))(inner, std::move(error));
        },
        thrower};
    return run.layer(0);
  }

 private:
  struct Named {
    std::string name;
    Layer layer;
    int priority;
  };

  std::vector<Named> layers_;
};

// One journey through the onion.
template <class Context, class Outcome>
struct Pipeline<Context, Outcome>::Next::Run {
  const Pipeline& pipeline;
  Context& context;
  // The core and the misuse function, each as an object and how to call it: a `std::function`
  // would allocate on every call.
  const void* core;
  Outcome (*call_core)(const void*, Context&);
  const void* misuse_function;
  Outcome (*call_misuse)(const void*, Context&, Error);
  std::string* thrower;

  Outcome layer(std::size_t index) {
    if (index == pipeline.layers_.size()) return call_core(core, context);
    Next next(*this, index);
    const Blame blame(*this, index);
    Outcome outcome = pipeline.layers_[index].layer(context, next);
    if (next.state_ == State::Untouched) return misuse(index, ErrorCode::MiddlewareNextMissing);
    return outcome;
  }

  Outcome misuse(std::size_t index, ErrorCode code) {
    const std::string& name = pipeline.layers_[index].name;
    if (code == ErrorCode::MiddlewareNextTwice) {
      return call_misuse(misuse_function, context,
                         {.code = code,
                          .message = "middleware '" + name + "' called next() twice",
                          .suggestion = "Call next() once and keep its result."});
    }
    return call_misuse(
        misuse_function, context,
        {.code = code,
         .message = "middleware '" + name + "' returned without calling next()",
         .suggestion = "Call next(), or answer explicitly with next.instead(result)."});
  }

  // Notes the innermost layer that an exception leaves.
  struct Blame {
    Blame(Run& r, std::size_t i) : run(r), index(i), before(std::uncaught_exceptions()) {}
    ~Blame() {
      if (run.thrower == nullptr || !run.thrower->empty()) return;
      if (std::uncaught_exceptions() > before) *run.thrower = run.pipeline.layers_[index].name;
    }
    Blame(const Blame&) = delete;
    Blame& operator=(const Blame&) = delete;

    Run& run;
    std::size_t index;
    int before;
  };
};

}  // namespace goondan
