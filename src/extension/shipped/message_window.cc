// message-window: at the start of a turn only the newest messages stay.
#include <algorithm>

#include "extension/shipped/conversation_units.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kDefaultMaxMessages = 80;

struct Window {
  std::size_t max_messages;
  std::function<void(LogLevel, std::string_view)> log;
};

bool must_stay(const Unit& unit, std::span<const Message> messages, std::size_t start) {
  return std::ranges::any_of(unit.places, [&](std::size_t place) {
    return place >= start || is_kept(messages[place]) || is_summary(messages[place]);
  });
}

// What is for the system does not count: it is sent apart from the conversation.
std::size_t counted(std::span<const Message> messages) {
  return static_cast<std::size_t>(std::ranges::count_if(
      messages, [](const Message& message) { return message.role() != Role::System; }));
}

// The ids of what is to go, oldest first. A result without its call goes in any case: no model
// ever sees it.
std::vector<std::string> too_old(std::span<const Message> messages, const TurnMessage& input,
                                 std::size_t most) {
  std::vector<std::string> ids;
  const std::size_t start = turn_start(messages, input);
  std::size_t left = counted(messages);
  for (const Unit& unit : units_of(messages)) {
    const bool stray = unit.kind == Unit::Kind::Stray;
    if (!stray && (left <= most || must_stay(unit, messages, start))) continue;
    for (const std::size_t place : unit.places)
      ids.push_back(messages[place].id);
    left -= unit.places.size();
  }
  return ids;
}

void keep_newest(const Window& window, TurnContext& context) {
  const std::vector<std::string> ids =
      too_old(context.conversation.messages(), context.input, window.max_messages);
  if (ids.empty()) return;
  const Result<void> removed = remove_all(context.conversation, ids);
  if (!removed.ok()) {
    return window.log(LogLevel::Warn, "the oldest messages stay: " + removed.error().message);
  }
  window.log(LogLevel::Debug, "removed the " + std::to_string(ids.size()) + " oldest messages");
}

}  // namespace

Result<void> register_message_window(ExtensionSite& site, const JsonObject& config) {
  ExtensionConfig reader(site.name, config);
  const Window window{.max_messages = reader.size("maxMessages", kDefaultMaxMessages, {1, 1 << 20}),
                      .log = site.log};
  GDN_TRY(reader.finish());
  site.layers.turn.add(site.name, [window](TurnContext& context, TurnPipeline::Next& next) {
    keep_newest(window, context);
    return next();
  });
  return {};
}

}  // namespace goondan::shipped
