#include "cli/view_live.h"

#include <algorithm>
#include <cstdio>

#include "cli/terminal.h"
#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFrame{33};      // the soonest after the last one
constexpr milliseconds kSpinTime{100};  // while something goes on
constexpr std::size_t kMaxLiveRows = 10;
constexpr std::string_view kPrompt = "> ";

}  // namespace

LiveView::LiveView(Options options)
    : options_(std::move(options)),
      cast_(options_.usual_key),
      log_(cast_),
      activity_(cast_),
      screen_(options_.write) {}

LiveView::~LiveView() {
  screen_.show(finished_, {}, options_.size());
}

std::size_t LiveView::room() const {
  // The last column stays empty: a line that fills it makes some terminals begin the next one.
  return std::max<std::size_t>(options_.size().columns, 2) - 1;
}

void LiveView::add(const std::vector<Line>& lines) {
  for (const Line& line : lines)
    finished_.push_back(render(line, room(), options_.paint));
  due_ = Due::Yes;
}

void LiveView::observe(const JsonObject& observation, Deadline now) {
  add(log_.observe(observation, room()));
  activity_.observe(observation, now);
}

void LiveView::say(std::string_view text, Weight weight) {
  add(log_.say(text, weight == Weight::Warning ? Style::Yellow : Style::Dim, room()));
}

void LiveView::answer(std::string_view text) {
  if (options_.answers == Options::Answers::InLog) return;
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  print_line(text);
  std::fflush(stdout);
}

void LiveView::summary(const Totals& totals, milliseconds duration) {
  add(log_.say(totals.text(duration, " · "), Style::Dim, room()));
}

void LiveView::finish(const RunOutcome&, const Totals&) {
  prompt_ = Prompt::No;
  add(log_.reset(room()));
  activity_.reset();
  screen_.show(finished_, {}, options_.size());
  finished_.clear();
}

void LiveView::reset() {
  add(log_.reset(room()));
  activity_.reset();
}

void LiveView::prompt() {
  prompt_ = Prompt::Yes;
  due_ = Due::Yes;
}

void LiveView::entered(std::string_view text) {
  if (prompt_ == Prompt::Yes) screen_.entered(columns(clean_text(text)));
  prompt_ = Prompt::No;
  due_ = Due::Yes;
}

std::vector<std::string> LiveView::live_rows(Deadline now) const {
  const ScreenSize size = options_.size();
  const std::size_t most = std::clamp<std::size_t>(size.rows / 2, 2, kMaxLiveRows);
  std::vector<std::string> rows;
  for (const Line& line : log_.partial(room()))
    rows.push_back(render(line, room(), options_.paint));
  for (const Line& line : activity_.lines(now, most))
    rows.push_back(render(line, room(), options_.paint));
  if (prompt_ == Prompt::Yes) rows.emplace_back(kPrompt);
  return rows;
}

void LiveView::draw(Deadline now) {
  const bool soon = now - drawn_ < kFrame && prompt_ == Prompt::No;
  if (due_ == Due::Yes && soon) return;
  screen_.show(finished_, live_rows(now), options_.size());
  finished_.clear();
  due_ = Due::No;
  drawn_ = now;
}

std::optional<Deadline> LiveView::next_draw() const {
  if (due_ == Due::Yes) return drawn_ + kFrame;
  if (live_rows(drawn_).empty() || prompt_ == Prompt::Yes) return std::nullopt;
  return drawn_ + kSpinTime;
}

}  // namespace goondan::cli
