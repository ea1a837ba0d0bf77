// Running turns and steps through their middleware. Whatever a layer does, there is an outcome.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include <goondan/pipeline.h>

namespace goondan::agent {

inline Error layer_failed(const std::string& layer, std::string_view what) {
  return {.code = ErrorCode::Middleware,
          .message = "middleware '" + layer + "' failed: " + std::string(what),
          .suggestion = "Look at the extension's log; what ran inside it is kept."};
}

// `core(Context&)` runs inside all layers and does not throw; `failed(Error)` makes the outcome of
// a layer that throws, forgets `next()` or calls it twice. `pipeline` may be null.
template <class Context, class Outcome, class Core, class Failed>
Outcome run_layered(const Pipeline<Context, Outcome>* pipeline, Context& context, const Core& core,
                    const Failed& failed) {
  if (pipeline == nullptr || pipeline->empty()) return core(context);
  const auto misuse = [&failed](Context&, Error error) { return failed(std::move(error)); };
  std::string thrower;
  // The one place where the exceptions of a layer end; anything may be thrown.
  try {
    return pipeline->run(context, core, misuse, &thrower);
  } catch (const std::exception& error) {
    return failed(layer_failed(thrower, error.what()));
  } catch (...) {
    return failed(layer_failed(thrower, "unknown exception"));
  }
}

}  // namespace goondan::agent
