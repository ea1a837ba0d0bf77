#include "model/scripted_choice.h"

#include <re2/re2.h>

#include "base/json_fields.h"
#include "base/white_space.h"

namespace goondan::scripted {
namespace {

std::string_view trimmed(std::string_view text) {
  return unicode::trim_end(unicode::trim_start(text));
}

// What the model reads of a message.
std::string read_text_of(const Message& message) {
  return message.role() == Role::Tool ? tool_message_text(message) : message.text();
}

// What stands in the place of the output of a call that is not simply done; null if it is.
const JsonObject* note_of(const Message& message, std::string_view status) {
  const JsonObject& data = object_or_empty(message.data);
  const std::string told = text_field(data, "status");
  const JsonObject* output = object_field(data, "output");
  if (output == nullptr || (!told.empty() && told != status)) return nullptr;
  return text_field(*output, "status") == status ? output : nullptr;
}

const JsonObject* pending_of(const Message& message) {
  const JsonObject* note = note_of(message, "pending");
  return note != nullptr && !text_field(*note, "handle").empty() ? note : nullptr;
}

CallStatus status_of(const Message& message) {
  if (tool_message_is_error(message)) return CallStatus::Error;
  return pending_of(message) != nullptr ? CallStatus::Pending : CallStatus::Ok;
}

bool contains_all(std::string_view text, const std::vector<std::string>& parts) {
  return std::ranges::all_of(
      parts, [text](const std::string& part) { return text.find(part) != std::string_view::npos; });
}

bool fits_message(const When& when, const Message& message) {
  const Role role = message.role();
  if (role == Role::System || (when.role && *when.role != role)) return false;
  if ((when.tool || when.status) && role != Role::Tool) return false;
  if (when.tool && *when.tool != text_field(object_or_empty(message.data), "toolName")) {
    return false;
  }
  if (when.status && *when.status != status_of(message)) return false;
  if (when.contains.empty() && !when.equals && !when.matches) return true;
  const std::string text = read_text_of(message);
  if (!contains_all(text, when.contains)) return false;
  if (when.equals && trimmed(*when.equals) != trimmed(text)) return false;
  return !when.matches || re2::RE2::PartialMatch(text, *when.matches);
}

const Message* fitting_message(const When& when, std::span<const Message> news) {
  for (std::size_t i = news.size(); i-- > 0;) {
    if (fits_message(when, news[i])) return &news[i];
  }
  return nullptr;
}

bool fits_conversation(const When& when, const Situation& situation) {
  return (!when.turn || *when.turn == situation.turn) &&
         (!when.step || *when.step == situation.step) &&
         contains_all(situation.system, when.system);
}

Choice first_fit(const Script& script, const std::vector<std::size_t>& uses,
                 const Situation& situation) {
  for (std::size_t i = 0; i < script.replies.size(); ++i) {
    const Reply& reply = script.replies[i];
    if (reply.times && uses[i] >= *reply.times) continue;
    if (!fits_conversation(reply.when, situation)) continue;
    if (!reply.when.about_a_message()) return {.reply = &reply, .situation = situation};
    const Message* message = fitting_message(reply.when, situation.news);
    if (message != nullptr) return {&reply, message, situation};
  }
  return {.situation = situation};
}

// Where the conversation stands after `messages[index]`.
void advance(Situation& situation, std::span<const Message> messages, std::size_t index) {
  switch (messages[index].role()) {
    case Role::System:
      return;
    case Role::User:
      ++situation.turn;
      situation.step = 1;
      situation.news = messages.subspan(index, 1);
      return;
    case Role::Assistant:
      ++situation.step;
      ++situation.answers;
      situation.news = {};
      return;
    case Role::Tool: {
      const bool more = !situation.news.empty() && situation.news.front().role() == Role::Tool;
      const std::size_t begin =
          more ? static_cast<std::size_t>(situation.news.data() - messages.data()) : index;
      situation.news = messages.subspan(begin, index + 1 - begin);
      return;
    }
  }
}

Json output_of(const Message& message) {
  if (const JsonObject* pending = pending_of(message)) return any_field(*pending, "output");
  return any_field(object_or_empty(message.data), "output");
}

void add_result(JsonObject& scope, const Message& message) {
  scope["output"] = output_of(message);
  if (const JsonObject* pending = pending_of(message)) scope["handle"] = pending->at("handle");
  if (!tool_message_is_error(message)) return;
  if (const JsonObject* note = note_of(message, "error"))
    scope["error"] = any_field(*note, "error");
}

JsonObject captures(const re2::RE2& pattern, const std::string& text) {
  const auto count = static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1;
  std::vector<re2::StringPiece> groups(count);
  JsonObject found;
  if (!pattern.Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                     static_cast<int>(count))) {
    return found;
  }
  for (std::size_t i = 0; i < count; ++i)
    found[std::to_string(i)] = std::string(groups[i]);
  for (const auto& [name, index] : pattern.NamedCapturingGroups())
    found[name] = std::string(groups[static_cast<std::size_t>(index)]);
  return found;
}

const Message* last_result(std::span<const Message> messages) {
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i].role() == Role::Tool) return &messages[i];
  }
  return nullptr;
}

void add_conversation(JsonObject& scope, const ModelRequest& request, const Situation& situation) {
  JsonArray inputs;
  for (const Message& message : request.messages) {
    if (message.role() == Role::User) inputs.emplace_back(message.text());
  }
  if (!inputs.empty()) scope["input"] = inputs.back();
  scope["inputs"] = std::move(inputs);
  JsonArray outputs;
  for (const Message& message : situation.news) {
    if (message.role() == Role::Tool) outputs.push_back(output_of(message));
  }
  scope["outputs"] = std::move(outputs);
}

std::string tool_names(const ToolCatalog& tools) {
  std::string names;
  for (const auto& entry : tools.entries())
    names += (names.empty() ? "" : ", ") + entry->name();
  return names;
}

}  // namespace

Choice choose(const Script& script, std::string_view system, std::span<const Message> messages) {
  const bool counted = std::ranges::any_of(
      script.replies, [](const Reply& reply) { return reply.times.has_value(); });
  std::vector<std::size_t> uses(script.replies.size());
  Situation situation{.system = system};
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (counted && messages[i].role() == Role::Assistant) {
      const Choice earlier = first_fit(script, uses, situation);
      if (earlier.reply != nullptr) {
        ++uses[static_cast<std::size_t>(earlier.reply - script.replies.data())];
      }
    }
    advance(situation, messages, i);
  }
  return first_fit(script, uses, situation);
}

JsonObject scope_of(const Choice& choice, const ModelRequest& request) {
  const Situation& situation = choice.situation;
  JsonObject scope{{"turn", situation.turn}, {"step", situation.step}};
  add_conversation(scope, request, situation);
  const bool about_result = choice.message != nullptr && choice.message->role() == Role::Tool;
  const Message* result = about_result ? choice.message : last_result(request.messages);
  if (result != nullptr) add_result(scope, *result);
  if (choice.message != nullptr && choice.reply->when.matches) {
    scope["match"] = captures(*choice.reply->when.matches, read_text_of(*choice.message));
  }
  scope["tools"] = tool_names(request.tools);
  return scope;
}

}  // namespace goondan::scripted
