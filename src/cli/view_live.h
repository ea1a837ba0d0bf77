// The view on a terminal: the log scrolls, below it stands what goes on right now.
#pragma once

#include "cli/run_view.h"
#include "cli/view_activity.h"
#include "cli/view_log.h"
#include "cli/view_screen.h"

namespace goondan::cli {

class LiveView final : public View {
 public:
  struct Options {
    std::string usual_key = {};
    Paint paint = Paint::On;
    enum class Answers { InLog, AlsoOut } answers = Answers::InLog;  // also on standard output
    std::function<ScreenSize()> size = screen_size;
    Screen::Write write = write_to_screen;
  };

  explicit LiveView(Options options);
  ~LiveView() override;

  void observe(const JsonObject& observation, Deadline now) override;
  void say(std::string_view text, Weight weight) override;
  void answer(std::string_view text) override;
  void summary(const Totals& totals, std::chrono::milliseconds duration) override;
  void finish(const RunOutcome& outcome, const Totals& totals) override;
  void reset() override;
  void prompt() override;
  void entered(std::string_view text) override;
  void draw(Deadline now) override;
  [[nodiscard]] std::optional<Deadline> next_draw() const override;
  [[nodiscard]] std::string running_calls() const override { return activity_.running_calls(); }

 private:
  void add(const std::vector<Line>& lines);
  [[nodiscard]] std::size_t room() const;
  [[nodiscard]] std::vector<std::string> live_rows(Deadline now) const;

  Options options_;
  Cast cast_;
  ViewLog log_;
  ViewActivity activity_;
  Screen screen_;
  std::vector<std::string> finished_;  // not shown yet
  enum class Prompt { No, Yes } prompt_ = Prompt::No;
  enum class Due { No, Yes } due_ = Due::No;  // something has changed since the last draw
  Deadline drawn_{};
};

}  // namespace goondan::cli
