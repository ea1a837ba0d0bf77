// Puts tool calls together from the pieces in which chat completion servers send them.
//
// The pieces of a call have its `index`; the first has `id` and name, all have a part of the
// arguments. Many servers leave `index` or `id` out, repeat the name, give every call the index 0,
// or send arguments as an object; all of that is understood.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "model/wire_names.h"

namespace goondan {

// Notices the end of a JSON object that comes in pieces, by counting brackets.
class ObjectEnd {
 public:
  void add(std::string_view piece);
  [[nodiscard]] bool reached() const { return begun_ && depth_ <= 0; }

 private:
  int depth_ = 0;
  bool begun_ = false;
  bool in_text_ = false;
  bool escaped_ = false;
};

// Used for one answer; borrows the names. Thread-compatible. Fails with `E_LIMIT`.
class CallAssembly {
 public:
  explicit CallAssembly(const WireNames& names) : names_(names) {}

  // A piece as it stands in `delta.tool_calls`.
  [[nodiscard]] Result<void> add(const JsonObject& piece);

  // A call of a message that came as a whole, or a piece with the place of its call.
  [[nodiscard]] Result<void> add_at(std::int64_t index, const JsonObject& piece);

  [[nodiscard]] bool empty() const { return slots_.empty(); }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }

  // The calls in the order they began, under the names of the catalog. A call without an id gets
  // one; arguments that cannot be read become the call's `input_problem`.
  std::vector<ToolCall> take();

 private:
  struct Slot {
    std::string id = {};
    std::string name = {};  // on the wire
    std::string arguments = {};
    ObjectEnd end = {};
  };
  struct Piece;

  Result<void> add_to(Slot& slot, const Piece& piece);
  void add_name(Slot& slot, const std::string& name) const;
  Result<Slot*> find_slot(const Piece& piece);
  Result<Slot*> find_by_index(std::int64_t index, const Piece& piece);
  Result<Slot*> new_slot();
  [[nodiscard]] bool begins_anew(const Slot& slot, const Piece& piece) const;

  const WireNames& names_;
  std::vector<Slot> slots_;
  std::map<std::int64_t, std::size_t> by_index_;  // the place in `slots_`
};

}  // namespace goondan
