// The views without a cursor: lines for logs, and JSON for programs.
#pragma once

#include <map>

#include "cli/run_view.h"

namespace goondan::cli {

// One line for what has happened: `12:00:01 writer  ok bash__exec 0.12 s`; empty for what is not
// worth one. Remembers the last text of each agent to tell what it says from what it answers.
class PlainLines {
 public:
  enum class Debug { Hide, Show };  // log lines of that level

  explicit PlainLines(std::string usual_key, Debug debug = Debug::Hide)
      : usual_key_(std::move(usual_key)), debug_(debug) {}
  std::vector<std::string> observe(const JsonObject& observation);

 private:
  [[nodiscard]] std::string words(const std::string& type, const JsonObject& observation);
  [[nodiscard]] std::string logged(const JsonObject& observation) const;
  [[nodiscard]] std::string other_words(const std::string& type,
                                        const JsonObject& observation) const;

  std::string usual_key_;
  Debug debug_;
  std::map<std::string, std::string, std::less<>> texts_;  // of the model, by instance
};

// Lines on standard error, answers on standard output.
class PlainView final : public View {
 public:
  explicit PlainView(std::string usual_key) : lines_(std::move(usual_key)) {}

  void observe(const JsonObject& observation, Deadline now) override;
  void say(std::string_view text, Weight weight) override;
  void answer(std::string_view text) override;
  void summary(const Totals& totals, std::chrono::milliseconds duration) override;
  void finish(const RunOutcome&, const Totals&) override {}
  void prompt() override;

 private:
  PlainLines lines_;
};

// Every observation as one line on standard output; at the end `{type: "run.result", status,
// response | error}`.
class JsonView final : public View {
 public:
  void observe(const JsonObject& observation, Deadline now) override;
  void say(std::string_view text, Weight weight) override;
  void answer(std::string_view) override {}
  void summary(const Totals&, std::chrono::milliseconds) override {}
  void finish(const RunOutcome& outcome, const Totals& totals) override;
};

}  // namespace goondan::cli
