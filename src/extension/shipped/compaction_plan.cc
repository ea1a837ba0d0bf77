#include "extension/shipped/compaction_plan.h"

#include <algorithm>

namespace goondan::shipped {
namespace {

struct Load {
  std::size_t messages = 0;
  std::size_t characters = 0;

  [[nodiscard]] bool within(const Load& most) const {
    return messages <= most.messages && characters <= most.characters;
  }
};

// Works on one conversation; borrows it.
class Planner {
 public:
  Planner(std::span<const Message> messages, const TurnMessage& input,
          const CompactionLimits& limits)
      : messages_(messages),
        start_(turn_start(messages, input)),
        plan_{.summary = Summary(limits.summary_characters)},
        gone_(messages.size(), Gone::No) {
    for (std::size_t place = 0; place < messages.size(); ++place) {
      const Message& message = messages[place];
      if (message.role() == Role::System) continue;
      if (message.role() == Role::Assistant) last_answer_ = place;
      if (is_summary(message) && plan_.summary_id.empty()) {
        plan_.summary_id = message.id;
        summary_place_ = place;
        plan_.summary.read(message);
        continue;
      }
      ++load_.messages;
      load_.characters += characters_of(message);
    }
  }

  // With the summary there is, or will be.
  [[nodiscard]] Load load() const {
    const bool summary = any_gone_ || !plan_.summary_id.empty();
    return {.messages = load_.messages + (summary ? 1 : 0),
            .characters = load_.characters + (summary ? plan_.summary.characters() : 0)};
  }

  void take_oldest(const Load& until, std::size_t keep_last) {
    const std::size_t last = messages_.size() - std::min(keep_last, messages_.size());
    for (const Unit& unit : units_of(messages_)) {
      if (load().within(until)) return;
      if (may_go(unit, last)) take(unit);
    }
  }

  CompactionPlan finish() {
    for (std::size_t place = 0; place < messages_.size(); ++place) {
      if (gone_[place] == Gone::Yes) plan_.ids.push_back(messages_[place].id);
    }
    return std::move(plan_);
  }

 private:
  enum class Gone : char { No, Yes };

  [[nodiscard]] bool may_go(const Unit& unit, std::size_t last) const {
    return std::ranges::none_of(unit.places, [&](std::size_t place) {
      return place >= last || place == start_ || place == last_answer_ || place == summary_place_ ||
             gone_[place] == Gone::Yes || is_kept(messages_[place]);
    });
  }

  void take(const Unit& unit) {
    plan_.summary.add(messages_, unit);
    for (const std::size_t place : unit.places) {
      gone_[place] = Gone::Yes;
      --load_.messages;
      load_.characters -= characters_of(messages_[place]);
    }
    any_gone_ = true;
  }

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  std::span<const Message> messages_;
  std::size_t start_;
  CompactionPlan plan_;
  std::vector<Gone> gone_;
  std::size_t last_answer_ = kNowhere;
  std::size_t summary_place_ = kNowhere;
  bool any_gone_ = false;
  Load load_ = {};  // without the summary
};

}  // namespace

CompactionPlan plan_compaction(std::span<const Message> messages, const TurnMessage& input,
                               const CompactionLimits& limits, CompactionTime time) {
  const Load most{.messages = limits.max_messages, .characters = limits.max_characters};
  const Load half{.messages = most.messages / 2, .characters = most.characters / 2};
  Planner planner(messages, input, limits);
  if (planner.load().within(most)) return planner.finish();
  planner.take_oldest(half, limits.keep_last);
  if (time == CompactionTime::TurnStart && !planner.load().within(most)) {
    planner.take_oldest(most, 0);
  }
  return planner.finish();
}

}  // namespace goondan::shipped
