#include "model/conversation.h"

#include <array>
#include <map>

#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan {
namespace {

// Stand where a provider wants the user to speak and the history has nothing.
constexpr std::string_view kBegin = "Begin.";
constexpr std::string_view kGoOn = "Go on.";
constexpr std::string_view kNoOutput = "(no output)";
constexpr std::string_view kNoResult =
    "ERROR: the call was interrupted; whether it took effect is not known.";

// White space of all scripts: one message of nothing else would have every later request refused.
constexpr std::array<std::string_view, 12> kWideSpaces{"\u0085", "\u00A0", "\u1680", "\u2028",
                                                       "\u2029", "\u202F", "\u205F", "\u3000",
                                                       "\x1c",   "\x1d",   "\x1e",   "\x1f"};

std::size_t space_length(std::string_view text) {
  if (std::string_view(" \t\r\n\v\f").contains(text.front())) return 1;
  for (const std::string_view space : kWideSpaces) {
    if (text.starts_with(space)) return space.size();
  }
  // U+2000 to U+200A
  constexpr std::string_view kFirst = "\u2000";
  constexpr std::string_view kLast = "\u200A";
  const std::string_view begin = text.substr(0, kFirst.size());
  return begin >= kFirst && begin <= kLast ? kFirst.size() : 0;
}

bool blank(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = space_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// Arguments that were no object go back inside of one, so that the model sees its mistake and the
// provider an object.
JsonObject input_of(const ToolCall& call) {
  if (call.input.is_object()) return call.input.get_object();
  const std::string text = call.input.is_string() && !call.input_problem.empty()
                               ? std::string(call.input.get_string())
                               : to_text(call.input);
  return JsonObject{{"_not_an_object", utf8::prefix(text, kMaxShownArguments)}};
}

// Builds the turns; confined to one call of `wire_conversation`.
class Conversation {
 public:
  Conversation(const WireNames& names, std::string_view provider)
      : names_(names), provider_(provider) {}

  void add_system(std::string_view text) {
    if (!blank(text)) conversation_.system.emplace_back(text);
  }

  void add_user(std::string text) {
    if (blank(text)) return;
    turn_of(WireTurn::Side::User).parts.push_back({.text = std::move(text)});
  }

  // Results are looked for up to the assistant's next message: what users said while calls ran may
  // stand before them.
  void add_assistant(const Message& message, std::span<const Message> later) {
    const std::vector<ToolCall> calls = message.tool_calls();
    std::size_t next_call = 0;
    begin_at_user();
    const JsonArray* parts = array_field(object_or_empty(message.data), "content");
    if (parts == nullptr) return add_text(message.text());
    for (const Json& part : *parts) {
      const std::string type = text_field(object_or_empty(part), "type");
      if (type == "text") add_text(text_field(object_or_empty(part), "text"));
      if (type == "opaque") add_opaque(object_or_empty(part));
      if (type == "tool-call") add_call(calls[next_call++]);
    }
    drop_last_thoughts();
    add_results(later);
  }

  WireConversation take() {
    if (conversation_.turns.empty()) add_user(std::string(kBegin));
    const WireTurn& last = conversation_.turns.back();
    if (last.side == WireTurn::Side::Assistant && last.calls.empty()) add_user(std::string(kGoOn));
    return std::move(conversation_);
  }

 private:
  WireTurn& turn_of(WireTurn::Side side) {
    std::vector<WireTurn>& turns = conversation_.turns;
    // After calls come their results, so the next words of the assistant are a turn of their own.
    const bool same = !turns.empty() && turns.back().side == side && turns.back().calls.empty();
    return same ? turns.back() : turns.emplace_back(WireTurn{.side = side});
  }

  WireTurn& assistant() {
    WireTurn* open = open_calls_ ? &conversation_.turns.back() : nullptr;
    return open != nullptr ? *open : turn_of(WireTurn::Side::Assistant);
  }

  void begin_at_user() {
    open_calls_ = false;
    if (conversation_.turns.empty()) add_user(std::string(kBegin));
  }

  void add_text(std::string text) {
    if (!blank(text)) assistant().parts.push_back({.text = std::move(text)});
  }

  void add_opaque(const JsonObject& part) {
    if (text_field(part, "provider") != provider_ || !any_field(part, "block").is_object()) return;
    assistant().parts.push_back(
        {.kind = WirePart::Kind::Opaque, .block = any_field(part, "block")});
  }

  void add_call(const ToolCall& call) {
    WireTurn& turn = assistant();
    open_calls_ = true;
    turn.parts.push_back({.kind = WirePart::Kind::Call, .call = turn.calls.size()});
    turn.calls.push_back({.id = ids_.add(call.id),
                          .name = names_.to_wire(call.name),
                          .input = input_of(call),
                          .original_id = call.id,
                          .result = std::string(kNoResult),
                          .outcome = WireCall::Outcome::Error});
  }

  // A turn that ends in thinking is refused; nothing was said after it.
  void drop_last_thoughts() {
    WireTurn& turn = conversation_.turns.back();
    while (!turn.parts.empty() && turn.parts.back().kind == WirePart::Kind::Opaque) {
      turn.parts.pop_back();
    }
    if (turn.parts.empty()) conversation_.turns.pop_back();
  }

  // Where an id is there several times, the first result is that of the first call.
  void add_results(std::span<const Message> later) {
    if (!open_calls_) return;
    std::multimap<std::string, const Message*> results;
    for (const Message& message : later) {
      if (message.role() == Role::Assistant) break;
      if (message.role() == Role::Tool) results.emplace(message.tool_call_id(), &message);
    }
    for (WireCall& call : conversation_.turns.back().calls) {
      const auto found = results.lower_bound(call.original_id);
      if (found == results.end() || found->first != call.original_id) continue;
      call.result = tool_message_text(*found->second);
      if (blank(call.result)) call.result = kNoOutput;
      call.outcome =
          tool_message_is_error(*found->second) ? WireCall::Outcome::Error : WireCall::Outcome::Ok;
      results.erase(found);
    }
    open_calls_ = false;
  }

  const WireNames& names_;
  std::string_view provider_;
  WireIds ids_;
  WireConversation conversation_;
  bool open_calls_ = false;  // the last turn has calls and may still grow
};

}  // namespace

WireConversation wire_conversation(std::string_view system, std::span<const Message> messages,
                                   const WireNames& names, std::string_view provider) {
  Conversation conversation(names, provider);
  conversation.add_system(system);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    switch (message.role()) {
      case Role::System:
        conversation.add_system(message.text());
        break;
      case Role::User:
        conversation.add_user(message.text());
        break;
      case Role::Assistant:
        conversation.add_assistant(message, messages.subspan(i + 1));
        break;
      case Role::Tool:
        break;  // found by the calls
    }
  }
  return conversation.take();
}

}  // namespace goondan
