// message-compaction: the oldest messages of a long conversation become one summary.
#include "extension/shipped/compaction_plan.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

constexpr std::size_t kDefaultMaxMessages = 40;
constexpr std::size_t kDefaultMaxCharacters = 12'000;
constexpr std::size_t kDefaultKeepLast = 8;
constexpr std::size_t kDefaultSummaryCharacters = 3'000;

struct Compaction {
  std::string name;
  CompactionLimits limits;
  std::function<void(LogLevel, std::string_view)> log;
};

// The summary names what it stands for until all of that is gone, so that a crash in between makes
// neither a gap nor a second entry.
Result<void> carry_out(const Compaction& compaction, ConversationView& conversation,
                       CompactionPlan plan) {
  const std::string place = plan.summary_id.empty() ? plan.ids.front() : plan.summary_id;
  Message unfinished = plan.summary.to_message(compaction.name, plan.ids);
  unfinished.id = place;
  GDN_TRY(conversation.replace(place, std::move(unfinished)));
  std::erase(plan.ids, place);
  GDN_TRY(remove_all(conversation, plan.ids));
  Message finished = plan.summary.to_message(compaction.name, {});
  finished.id = place;
  return conversation.replace(place, std::move(finished));
}

// Takes out what a crash has left of the last time.
Result<void> take_up(const Compaction& compaction, ConversationView& conversation) {
  for (const Message& message : conversation.messages()) {
    if (!is_summary(message)) continue;
    std::vector<std::string> ids = removing_of(message);
    if (ids.empty()) return {};
    const std::string id = message.id;
    Summary summary(compaction.limits.summary_characters);
    summary.read(message);
    std::erase(ids, id);
    GDN_TRY(remove_all(conversation, ids));
    Message finished = summary.to_message(compaction.name, {});
    finished.id = id;
    return conversation.replace(id, std::move(finished));
  }
  return {};
}

Result<void> compact(const Compaction& compaction, ConversationView& conversation,
                     const TurnMessage& input, CompactionTime time) {
  GDN_TRY(take_up(compaction, conversation));
  CompactionPlan plan = plan_compaction(conversation.messages(), input, compaction.limits, time);
  if (plan.ids.empty()) return {};
  compaction.log(LogLevel::Debug,
                 std::to_string(plan.ids.size()) + " messages become part of the summary");
  return carry_out(compaction, conversation, std::move(plan));
}

void try_compact(const Compaction& compaction, ConversationView& conversation,
                 const TurnMessage& input, CompactionTime time) {
  const Result<void> done = compact(compaction, conversation, input, time);
  if (done.ok()) return;
  compaction.log(LogLevel::Warn, "the conversation stays long: " + done.error().message);
}

}  // namespace

Result<void> register_message_compaction(ExtensionSite& site, const JsonObject& config) {
  ExtensionConfig reader(site.name, config);
  CompactionLimits limits{
      .max_messages = reader.size("maxMessages", kDefaultMaxMessages, {4, 1 << 20}),
      .max_characters = reader.size("maxCharacters", kDefaultMaxCharacters, {1000, 1 << 30}),
      .keep_last = reader.size("keepLast", kDefaultKeepLast, {0, 1 << 20}),
      .summary_characters =
          reader.size("summaryCharacters", kDefaultSummaryCharacters, {300, 1 << 20})};
  GDN_TRY(reader.finish());
  limits.summary_characters = std::min(limits.summary_characters, limits.max_characters / 3);
  const Compaction compaction{.name = site.name, .limits = limits, .log = site.log};
  site.layers.turn.add(site.name, [compaction](TurnContext& context, TurnPipeline::Next& next) {
    try_compact(compaction, context.conversation, context.input, CompactionTime::TurnStart);
    return next();
  });
  site.layers.step.add(site.name, [compaction](StepContext& context, StepPipeline::Next& next) {
    try_compact(compaction, context.conversation, context.input, CompactionTime::Step);
    return next();
  });
  return {};
}

}  // namespace goondan::shipped
