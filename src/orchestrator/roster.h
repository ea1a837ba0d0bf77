// The instances on record: who made them, where they work. `spawn`, `list`.
//
// An instance comes to be by `spawn` or by the first message to it; its owner is who sent that. One
// that a user made owns itself. Thread-compatible.
#pragma once

#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "orchestrator/board.h"
#include "orchestrator/deliveries.h"

namespace goondan::orchestrator {

class Roster {
 public:
  Roster(Board& board, Deliveries& deliveries) : board_(board), deliveries_(deliveries) {}

  // Puts the instance on record if it is not. A journal that does not take it is tried again with
  // the next message: the record is for `list`, the message is safe already.
  void note(Instance& instance, const InstanceName& owner);

  enum class Scope { Own, All };
  // `{target, instanceKey, spawned, cwd}`. `owner` null: the user.
  Result<Json> spawn(const JsonObject& params, std::string_view target, const InstanceName* owner);
  [[nodiscard]] Json list(const InstanceName& owner, Scope scope) const;
  [[nodiscard]] std::vector<store::InstanceRecord> records() const;  // oldest first

 private:
  Board& board_;
  Deliveries& deliveries_;
};

}  // namespace goondan::orchestrator
