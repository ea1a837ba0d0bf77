// Results that come later: opened by a tool of an agent, completed or cancelled from outside.
//
// What becomes of a handle reaches its agent exactly once: as the answer of a `handles.wait` of the
// same instance that is open at that moment, or else as an injected message. A handle that the
// agent cancels itself is told by the answer to that. A wait ends with the turn it belongs to and
// when the turn is cancelled, so that no outcome goes to a call that is not there any more. Asking
// again
// (`handles.wait`, `handles.list`) always shows the outcome. Everything is in the journal before
// anyone is told. Thread-compatible.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/board.h"
#include "orchestrator/deliveries.h"

namespace goondan::orchestrator {

inline constexpr std::chrono::milliseconds kDefaultWait{60'000};
inline constexpr std::chrono::milliseconds kMaxWait{std::chrono::hours{24}};
// Calls of `handles.wait` that may be open; more are refused with `E_LIMIT`.
inline constexpr std::size_t kMaxWaits = 1'024;

// Who asked for something: a client, or a process of an agent.
struct Asker {
  std::uint64_t client = 0;
  std::optional<InstanceName> agent = {};  // none: the client
  Generation generation = 0;
  std::string request_id = {};
};

class Handles {
 public:
  Handles(Board& board, Deliveries& deliveries) : board_(board), deliveries_(deliveries) {}

  // `handles.*`; `method` is what follows the dot. Returns whether there is such a method for the
  // asker. The asker is answered, at once or later.
  bool run(const Asker& asker, std::string_view method, const JsonObject& params);

  // The instance has stopped waiting for whatever it waited for.
  void end_waits(const InstanceName& name);
  void on_client_gone(std::uint64_t client);
  void on_timeout(std::uint64_t wait);
  // Its handles are gone.
  void forget(const InstanceName& name);

 private:
  struct Wait {
    Asker asker;
    std::string handle;
    InstanceName owner;
    Timers::Id timer;
  };
  enum class Suppress { No, Yes };

  void answer(const Asker& asker, Result<Json> result);
  Result<Json> open(const Asker& asker, const JsonObject& params);
  Result<Json> complete(const JsonObject& params);
  Result<Json> cancel(const Asker& asker, const JsonObject& params);
  Result<Json> list(const Asker& asker, const JsonObject& params);
  // Nothing: the answer comes later.
  Result<std::optional<Json>> wait(const Asker& asker, const JsonObject& params);

  Result<store::HandleRecord> find(const JsonObject& params);
  Result<Json> close(store::HandleRecord handle, Suppress owner_knows);
  [[nodiscard]] bool owner_waits(const store::HandleRecord& handle) const;
  void answer_waits(const store::HandleRecord& handle);
  void answer_pending(const Wait& wait);
  void observe(std::string_view type, const store::HandleRecord& handle);

  Board& board_;
  Deliveries& deliveries_;
  std::map<std::uint64_t, Wait> waits_;
  std::uint64_t last_wait_ = 0;
};

}  // namespace goondan::orchestrator
