#include "model/call_assembly.h"

#include "base/ids.h"
#include "base/json_fields.h"
#include "model/reply_reader.h"

namespace goondan {

struct CallAssembly::Piece {
  explicit Piece(const JsonObject& object) : id(text_field(object, "id")) {
    const JsonObject* nested = object_field(object, "function");
    const JsonObject& function = nested == nullptr ? object : *nested;
    name = text_field(function, "name");
    const Json value = any_field(function, "arguments");
    if (value.is_string()) {
      arguments = value.get_string();
    } else if (!value.is_null()) {
      arguments = to_text(value);
    }
  }

  std::string id;
  std::string name;
  std::string arguments;
};

void ObjectEnd::add(std::string_view piece) {
  for (const char c : piece) {
    if (in_text_) {
      if (!escaped_ && c == '"') in_text_ = false;
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_text_ = true;
    } else if (c == '{' || c == '[') {
      begun_ = true;
      ++depth_;
    } else if (c == '}' || c == ']') {
      --depth_;
    }
  }
}

Result<void> CallAssembly::add(const JsonObject& piece) {
  const std::optional<std::int64_t> index = integer_field(piece, "index");
  if (index) return add_at(*index, piece);
  const Piece read(piece);
  Slot* slot = GDN_TRY(find_slot(read));
  return add_to(*slot, read);
}

Result<void> CallAssembly::add_at(std::int64_t index, const JsonObject& piece) {
  const Piece read(piece);
  Slot* slot = GDN_TRY(find_by_index(index, read));
  return add_to(*slot, read);
}

Result<CallAssembly::Slot*> CallAssembly::new_slot() {
  if (slots_.size() == kMaxCalls) {
    return Error{.code = ErrorCode::Limit,
                 .message = "sent more than " + std::to_string(kMaxCalls) + " tool calls"};
  }
  return &slots_.emplace_back();
}

// Whether a piece that could belong to `slot` is the beginning of another call.
bool CallAssembly::begins_anew(const Slot& slot, const Piece& piece) const {
  if (piece.name.empty()) return false;
  if (!piece.id.empty() && !slot.id.empty() && piece.id != slot.id) return true;
  if (slot.end.reached()) return !piece.arguments.empty() && piece.arguments != slot.arguments;
  return false;
}

Result<CallAssembly::Slot*> CallAssembly::find_by_index(std::int64_t index, const Piece& piece) {
  const auto known = by_index_.find(index);
  if (known != by_index_.end() && !begins_anew(slots_[known->second], piece)) {
    return &slots_[known->second];
  }
  Slot* slot = GDN_TRY(new_slot());
  by_index_[index] = slots_.size() - 1;
  return slot;
}

// Without an index: the call with the same id, or else the last one, unless a new one begins.
Result<CallAssembly::Slot*> CallAssembly::find_slot(const Piece& piece) {
  if (slots_.empty()) return new_slot();
  Slot& last = slots_.back();
  if (!piece.id.empty() && piece.id != last.id && !last.id.empty()) {
    const auto same = std::ranges::find(slots_, piece.id, &Slot::id);
    return same == slots_.end() ? new_slot() : Result<Slot*>(&*same);
  }
  if (piece.name.empty()) return &last;
  if (last.end.reached()) {
    const bool repeated = piece.arguments.empty() || piece.arguments == last.arguments;
    return repeated && !piece.id.empty() ? Result<Slot*>(&last) : new_slot();
  }
  if (piece.name == last.name) return &last;
  // A name may come in parts, but two tools of the catalog are two calls.
  const bool two = names_.offers(last.name) && names_.offers(piece.name);
  return last.arguments.empty() && !two ? Result<Slot*>(&last) : new_slot();
}

// A name is repeated, or grows, or comes in parts; what the catalog knows tells which.
void CallAssembly::add_name(Slot& slot, const std::string& name) const {
  if (name.empty() || (!slot.arguments.empty() && !slot.name.empty())) return;
  const bool grown = name.starts_with(slot.name) && names_.offers(name);
  const bool repeated = name == slot.name && !names_.offers(name + name);
  if (grown || repeated) {
    slot.name = name;
  } else {
    slot.name += name;
  }
}

Result<void> CallAssembly::add_to(Slot& slot, const Piece& piece) {
  if (piece.id.size() + piece.name.size() + slot.name.size() > kMaxCallName) {
    return reply_too_large("name and id of one tool call", kMaxCallName);
  }
  if (slot.id.empty()) slot.id = piece.id;
  add_name(slot, piece.name);
  if (slot.end.reached() && piece.arguments == slot.arguments) return {};
  if (piece.arguments.size() > kMaxArguments - slot.arguments.size()) {
    return reply_too_large("arguments of one tool call", kMaxArguments);
  }
  slot.arguments += piece.arguments;
  slot.end.add(piece.arguments);
  return {};
}

std::vector<ToolCall> CallAssembly::take() {
  std::vector<ToolCall> calls;
  for (Slot& slot : slots_) {
    if (slot.name.empty() && slot.arguments.empty()) continue;
    std::string id = slot.id.empty() ? make_id("call_") : std::move(slot.id);
    calls.push_back(call_from_text(std::move(id), names_.from_wire(slot.name), slot.arguments));
  }
  slots_.clear();
  by_index_.clear();
  return calls;
}

}  // namespace goondan
