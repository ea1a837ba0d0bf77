#include "extension/shipped/digest.h"

#include <algorithm>

#include "base/json_fields.h"
#include "base/utf8.h"
#include "extension/shipped/extension_message.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kMaxSaid = 240;     // code points of one message
constexpr std::size_t kMaxArgs = 120;     // code points of one call's arguments
constexpr std::size_t kMaxResult = 160;   // code points of one call's result
constexpr std::size_t kMaxName = 80;      // code points
constexpr std::size_t kMaxHeading = 200;  // code points of the lines above the list

constexpr std::string_view kLineStart = "- ";
constexpr std::string_view kRanStart = "- called ";

std::string speaker(const Message& message) {
  if (message.role() == Role::Assistant) return "assistant";
  const JsonObject* inbound = object_field(message.metadata, "__goondanInbound");
  if (inbound == nullptr || text_field(*inbound, "sourceKind") != "agent") return "user";
  return "agent " + one_line(text_field(*inbound, "sourceName"), kMaxName);
}

std::string call_text(const ToolCall& call) {
  return one_line(call.name, kMaxName) + " " + one_line(to_text(call.input), kMaxArgs);
}

// The result of `call` among the messages of its unit.
std::string result_text(const ToolCall& call, std::span<const Message> messages, const Unit& unit) {
  for (const std::size_t place : unit.places) {
    const Message& message = messages[place];
    if (message.role() != Role::Tool || message.tool_call_id() != call.id) continue;
    const std::string_view status = tool_message_is_error(message) ? ": failed, " : ": ";
    return std::string(status) + one_line(tool_message_text(message), kMaxResult);
  }
  return ": no result";
}

}  // namespace

std::size_t characters_of(const Message& message) {
  if (message.role() == Role::Tool) return utf8::length(tool_message_text(message));
  std::size_t count = utf8::length(message.text());
  for (const ToolCall& call : message.tool_calls())
    count += utf8::length(call.name) + utf8::length(to_text(call.input));
  return count;
}

void Summary::add_line(Line::Kind kind, std::string text) {
  const std::size_t length = utf8::length(text) + 1;
  lines_.push_back({.kind = kind, .text = std::move(text), .length = length});
  length_ += length;
}

void Summary::read(const Message& message) {
  const JsonObject* about = object_field(message.metadata, kSummaryKey);
  if (about == nullptr) return;
  messages_ += integer_field(*about, "messages").value_or(0);
  left_out_ += integer_field(*about, "leftOut").value_or(0);
  const std::string text = message.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(kLineStart)) continue;
    const Line::Kind kind = line.starts_with(kRanStart) ? Line::Kind::Ran : Line::Kind::Said;
    add_line(kind, std::move(line));
  }
}

void Summary::add(std::span<const Message> messages, const Unit& unit) {
  messages_ += static_cast<std::int64_t>(unit.places.size());
  const Message& first = messages[unit.places.front()];
  if (first.role() == Role::Tool) return;  // of a call that is not there
  const std::string said = one_line(first.text(), kMaxSaid);
  if (!said.empty()) {
    add_line(Line::Kind::Said, std::string(kLineStart) + speaker(first) + ": " + said);
  }
  for (const ToolCall& call : first.tool_calls()) {
    add_line(Line::Kind::Ran,
             std::string(kRanStart) + call_text(call) + result_text(call, messages, unit));
  }
}

std::size_t Summary::characters() const {
  return std::min(limit_, length_ + kMaxHeading);
}

void Summary::shorten() {
  const std::size_t room = limit_ > kMaxHeading ? limit_ - kMaxHeading : 0;
  const auto drop = [&](auto which) {
    for (auto line = lines_.begin(); line != lines_.end() && length_ > room;) {
      if (!which(*line)) {
        ++line;
        continue;
      }
      length_ -= line->length;
      ++left_out_;
      line = lines_.erase(line);
    }
  };
  drop([](const Line& line) { return line.kind == Line::Kind::Ran; });
  drop([this](const Line& line) { return &line != &lines_.front(); });
  drop([](const Line&) { return true; });
}

Message Summary::to_message(std::string_view extension, std::span<const std::string> removing) {
  shorten();
  std::string text = "[Summary of " + std::to_string(messages_) +
                     " earlier messages of this conversation, shortened. It is no new request.]\n";
  if (left_out_ > 0) text += "(" + std::to_string(left_out_) + " entries are left out.)\n";
  for (const Line& line : lines_)
    text += line.text + "\n";
  text.pop_back();
  JsonObject about{{"messages", messages_}, {"leftOut", left_out_}};
  if (!removing.empty()) about["removing"] = JsonArray(removing.begin(), removing.end());
  return extension_message(Role::User, std::move(text), extension, {{kSummaryKey, about}});
}

std::vector<std::string> removing_of(const Message& summary) {
  std::vector<std::string> ids;
  const JsonObject* about = object_field(summary.metadata, kSummaryKey);
  const JsonArray* removing = about == nullptr ? nullptr : array_field(*about, "removing");
  if (removing == nullptr) return ids;
  for (const Json& id : *removing) {
    if (id.is_string()) ids.emplace_back(id.get_string());
  }
  return ids;
}

}  // namespace goondan::shipped
