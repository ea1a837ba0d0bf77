#include "cli/view_plain.h"

#include <array>
#include <cstdio>
#include <ctime>

#include "base/json_fields.h"
#include "cli/terminal.h"
#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxColumns = 200;  // of a text or of arguments in a line

std::string shown(const std::string& text) {
  return cut_to(text, kMaxColumns);
}

std::string text_of(const JsonObject& observation, std::string_view key) {
  return shown(one_line(text_field(observation, key)));
}

std::string time_of(const JsonObject& observation, std::string_view key) {
  return duration_text(milliseconds(integer_field(observation, key).value_or(0)));
}

std::string error_of(const JsonObject& observation) {
  return error_line(error_from(any_field(observation, "error")));
}

// `timestamp` as the hour, minute and second of this place; as it is if it cannot be read.
std::string clock_time(const JsonObject& observation) {
  const std::string stamp = text_field(observation, "timestamp");
  std::tm utc{};
  if (::strptime(stamp.c_str(), "%Y-%m-%dT%H:%M:%S", &utc) == nullptr) return "--:--:--";
  const std::time_t seconds = ::timegm(&utc);
  std::tm local{};
  std::array<char, 16> text{};
  if (::localtime_r(&seconds, &local) == nullptr) return "--:--:--";
  std::strftime(text.data(), text.size(), "%H:%M:%S", &local);
  return text.data();
}

std::string called(const JsonObject& observation) {
  const std::string arguments = shown(arguments_text(any_field(observation, "args")));
  return "calls " + text_of(observation, "toolName") + (arguments.empty() ? "" : " ") + arguments;
}

std::string completed(const JsonObject& observation) {
  const std::string status = text_field(observation, "status");
  const std::string name = text_of(observation, "toolName");
  if (status == "pending") return "pending " + name + " as " + text_of(observation, "handle");
  const std::string how = name + " " + time_of(observation, "durationMs");
  return status == "error" ? "failed " + how + ": " + error_of(observation) : "ok " + how;
}

std::string turn_failed(const JsonObject& observation) {
  const Error error = error_from(any_field(observation, "error"));
  const std::string hint = error.suggestion.empty() ? "" : " hint: " + one_line(error.suggestion);
  return "turn failed: " + error_line(error) + hint;
}

}  // namespace

std::vector<std::string> PlainLines::observe(const JsonObject& observation) {
  const std::string type = text_field(observation, "type");
  const std::string agent = text_field(observation, "agentName");
  const std::string who =
      agent.empty() ? "" : instance_text(agent, text_field(observation, "instanceKey"), usual_key_);
  const std::string begin = clock_time(observation) + " " + who + (who.empty() ? "" : "  ");
  std::vector<std::string> lines;
  std::string& said = texts_[who];
  if (type == "tool.called" && !said.empty()) {
    lines.push_back(begin + "says: " + shown(one_line(said)));
    said.clear();
  }
  if (type == "message.text") said = text_field(observation, "text");
  if (type.starts_with("turn.")) said.clear();
  const std::string what = words(type, observation);
  if (!what.empty()) lines.push_back(begin + what);
  return lines;
}

std::string PlainLines::words(const std::string& type, const JsonObject& observation) {
  if (type == "turn.started") {
    return (true_field(observation, "resumed") ? "turn resumed: " : "turn: ") +
           text_of(observation, "input");
  }
  if (type == "turn.completed") {
    const bool cut = text_field(observation, "finishReason") == "max_steps";
    return "turn done in " + counted(integer_field(observation, "stepCount").value_or(0), "step") +
           ", " + time_of(observation, "durationMs") +
           (cut ? ": stopped, maxStepsPerTurn reached" : "");
  }
  if (type == "turn.failed") return turn_failed(observation);
  if (type == "turn.interrupted") return "turn interrupted: " + text_of(observation, "reason");
  if (type == "tool.called") return called(observation);
  if (type == "tool.completed") return completed(observation);
  if (type == "tool.log" || type == "extension.log") return logged(observation);
  if (type == "model.retry") {
    return "asks the model again in " + time_of(observation, "waitMs") + ": " +
           error_of(observation);
  }
  return other_words(type, observation);
}

// Of a tool, or of an extension, which is named.
std::string PlainLines::logged(const JsonObject& observation) const {
  const std::string level = text_of(observation, "level");
  if (level == "debug" && debug_ == Debug::Hide) return {};
  const std::string who = text_of(observation, "extension");
  return "[" + level + "] " + (who.empty() ? "" : who + ": ") + text_of(observation, "text");
}

std::string PlainLines::other_words(const std::string& type, const JsonObject& observation) const {
  if (type == "message.injected") return "is told: " + text_of(observation, "text");
  if (type == "delegate.sent" || type == "delegate.answered") {
    const std::string from = instance_text(text_field(observation, "from"), usual_key_);
    const std::string to = instance_text(text_field(observation, "to"), usual_key_);
    const std::string status = text_field(observation, "status");
    return from + " -> " + to + (type == "delegate.sent" ? "" : ": answered " + status);
  }
  if (type.starts_with("handle.")) {
    return type + " " + text_of(observation, "handle") + " " + text_of(observation, "toolName");
  }
  if (type == "agent.exited" && !true_field(observation, "expected")) {
    return "process ended: " + text_of(observation, "how");
  }
  if (type == "agent.backoff") return "starts again in " + time_of(observation, "waitMs");
  if (type == "runtime.problem") return "problem: " + error_of(observation);
  if (type == "auth.required") return consent_words(observation);
  if (type == "auth.ended") {
    return "consent for " + text_of(observation, "app") + ": " + text_of(observation, "status");
  }
  if (type == "bundle.changed") return "bundle changed";
  if (type == "bundle.rejected") {
    return "the changed bundle has errors; the old one goes on: " + error_of(observation);
  }
  return "";
}

void PlainView::observe(const JsonObject& observation, Deadline) {
  for (const std::string& line : lines_.observe(observation))
    print_error_line(line);
}

void PlainView::say(std::string_view text, Weight) {
  print_error_line("gdn: " + clean_text(text));
}

void PlainView::answer(std::string_view text) {
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  print_line(is_terminal(Stream::Out) ? clean_text(text) : std::string(text));
  std::fflush(stdout);
}

void PlainView::summary(const Totals& totals, milliseconds duration) {
  print_error_line("gdn: " + totals.text(duration, ", "));
}

void PlainView::prompt() {
  std::fputs("> ", stderr);
}

void JsonView::observe(const JsonObject& observation, Deadline) {
  print_line(to_text(observation));
  std::fflush(stdout);
}

void JsonView::say(std::string_view text, Weight) {
  print_error_line("gdn: " + clean_text(text));
}

void JsonView::finish(const RunOutcome& outcome, const Totals& totals) {
  JsonObject result{{"type", "run.result"}, {"status", outcome.error ? "error" : "ok"}};
  if (outcome.error) {
    result["error"] = error_json(*outcome.error);
  } else {
    result["response"] = outcome.response;
  }
  result["totals"] = totals.to_json();
  print_line(to_text(result));
  std::fflush(stdout);
}

}  // namespace goondan::cli
