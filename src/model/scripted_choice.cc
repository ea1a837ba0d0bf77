#include "model/scripted_choice.h"

#include <re2/re2.h>

#include "base/json_fields.h"
#include "base/white_space.h"
#include "model/scripted_result.h"

namespace goondan::scripted {
namespace {

std::string_view trimmed(std::string_view text) {
  return unicode::trim_end(unicode::trim_start(text));
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

}  // namespace goondan::scripted
