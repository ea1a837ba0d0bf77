// One refresh at a time for each grant, however many threads want one.
//
// It runs on a thread of its own: whoever waits may give up, by deadline or stop, without ending
// it for the others, or losing a refresh token that the provider has already exchanged.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "oauth/manager/stored.h"

namespace goondan::oauth {

// What has become of a refresh.
struct RefreshOutcome {
  enum class Kind {
    Renewed,    // `grant` is stored, and good
    Unchanged,  // the provider has not answered; `grant` is as it was
    NotStored,  // it has, but the answer could not be stored, or the store not be read
    Gone,       // there is no grant, or it is revoked: somebody must agree anew
  };
  Kind kind = Kind::Gone;
  std::optional<GrantRecord> grant = {};
  std::string message = {};
};

// Thread-safe.
class Flights {
 public:
  // Given a stop that is requested only at the end of the process.
  using Work = std::function<RefreshOutcome(const std::stop_token&)>;

  Flights() = default;
  Flights(const Flights&) = delete;
  Flights& operator=(const Flights&) = delete;
  // Lets what is under way come to its end for a while, then stops it.
  ~Flights();

  // The outcome of the flight that is under way for `name`, or else of a new one. Null: the
  // caller's own time was up.
  std::shared_ptr<const RefreshOutcome> join(const RecordName& name, const Work& work,
                                             const Limit& limit);

 private:
  struct Flight {
    std::shared_ptr<const RefreshOutcome> outcome;  // null: under way
    std::jthread thread;
  };

  std::shared_ptr<Flight> take_off(const RecordName& name, const Work& work);
  void fly(const RecordName& name, const Work& work, const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<RecordName, std::shared_ptr<Flight>> under_way_;
  std::list<std::shared_ptr<Flight>> landed_;  // whose threads are to be joined
};

}  // namespace goondan::oauth
