// required-tools-guard: a turn does not end before the tools that it needs have been used.
#include <algorithm>
#include <array>
#include <set>

#include "base/json_fields.h"
#include "extension/shipped/conversation_units.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/extension_message.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kDefaultReminders = 3;
constexpr const char* kReminderKey = "requiredToolsReminder";  // in metadata: the id of the turn

enum class Mode { Any, All };

// Confined to the thread that runs turns.
struct Guard {
  std::string name;
  std::vector<std::string> required;
  Mode mode;
  std::size_t max_reminders;
  std::function<void(LogLevel, std::string_view)> log;

  std::string turn_id = {};
  std::set<std::string> used = {};
  std::size_t reminders = 0;

  void begin(const StepContext& context);
  void note(const std::string& tool);
  [[nodiscard]] std::vector<std::string> missing() const;
  [[nodiscard]] Message reminder() const;
  void check(StepContext& context, StepResult& result);
};

void Guard::note(const std::string& tool) {
  if (std::ranges::find(required, tool) != required.end()) used.insert(tool);
}

// A turn that is taken up after a crash has used tools before; the conversation knows.
void Guard::begin(const StepContext& context) {
  if (turn_id == context.turn_id) return;
  turn_id = context.turn_id;
  used.clear();
  reminders = 0;
  const std::vector<Message>& messages = context.conversation.messages();
  for (std::size_t i = turn_start(messages, context.input); i < messages.size(); ++i) {
    const Message& message = messages[i];
    if (text_field(message.metadata, kReminderKey) == turn_id) ++reminders;
    if (message.role() != Role::Tool || tool_message_is_error(message)) continue;
    note(text_field(object_or_empty(message.data), "toolName"));
  }
}

std::vector<std::string> Guard::missing() const {
  if (mode == Mode::Any && !used.empty()) return {};
  std::vector<std::string> names;
  for (const std::string& tool : required) {
    if (!used.contains(tool)) names.push_back(tool);
  }
  return names;
}

Message Guard::reminder() const {
  const std::vector<std::string> names = missing();
  std::string list;
  for (const std::string& tool : names)
    list += (list.empty() ? "" : ", ") + tool;
  const std::string_view which = names.size() == 1   ? "this tool"
                                 : mode == Mode::Any ? "at least one of these tools"
                                                     : "all of these tools";
  std::string text = "This turn is not finished: it must use " + std::string(which) +
                     " successfully before it may end, and has not yet: " + list +
                     ". Call it now; if a call failed, correct its arguments and call it again.";
  return extension_message(Role::User, std::move(text), name, {{kReminderKey, turn_id}});
}

void Guard::check(StepContext& context, StepResult& result) {
  for (const ToolCallResult& one : result.results) {
    // What is pending has been accepted: asking for it again would do it twice.
    if (one.status != CallStatus::Error) note(one.tool_name);
  }
  if (result.status == StepResult::Status::Failed || result.should_continue) return;
  if (missing().empty()) return;
  if (reminders >= max_reminders) {
    return log(LogLevel::Warn, "turn " + turn_id + " ends without its required tools, after " +
                                   std::to_string(reminders) + " reminders");
  }
  ++reminders;
  if (const Result<void> said = context.conversation.append(reminder()); !said.ok()) {
    return log(LogLevel::Warn, "could not ask for the required tools: " + said.error().message);
  }
  result.should_continue = true;
}

}  // namespace

Result<void> register_required_tools_guard(ExtensionSite& site, const JsonObject& config) {
  static constexpr std::array<std::string_view, 2> kModes{"any", "all"};
  ExtensionConfig reader(site.name, config);
  Guard guard{.name = site.name,
              .required = reader.texts("requiredTools"),
              .mode = static_cast<Mode>(reader.choice("mode", kModes, 0)),
              .max_reminders = reader.size("maxReminders", kDefaultReminders, {0, 100}),
              .log = site.log};
  if (guard.required.empty()) {
    reader.refuse(
        "requiredTools", "names no tool",
        "List the tools, e.g. requiredTools: [files__write], or leave the extension out.");
  }
  GDN_TRY(reader.finish());
  const auto shared = std::make_shared<Guard>(std::move(guard));
  site.layers.step.add(site.name, [shared](StepContext& context, StepPipeline::Next& next) {
    shared->begin(context);
    StepResult result = next();
    shared->check(context, result);
    return result;
  });
  return {};
}

}  // namespace goondan::shipped
