#include <cstdio>

#include "base/json_fields.h"
#include "cli/interrupt.h"
#include "cli/log_reader.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"
#include "cli/view_plain.h"

namespace goondan::cli {
namespace {

constexpr std::chrono::hours kFollowAtMost{24 * 365};

bool wanted(const JsonObject& event, const LogsRequest& request) {
  const auto fits = [&event](std::string_view key, const std::string& value) {
    return value.empty() || text_field(event, key) == value;
  };
  return fits("agentName", request.agent) && fits("instanceKey", request.instance_key) &&
         text_field(event, "traceId").starts_with(request.trace);
}

// The lines to print for one event.
std::vector<std::string> shown(const std::string& line, const LogsRequest& request,
                               PlainLines& words) {
  const Result<Json> parsed = parse_json(line);
  if (!parsed.ok() || !parsed->is_object()) return {};
  if (!wanted(parsed->get_object(), request)) return {};
  if (request.json == Answer::Yes) return {line};
  return words.observe(parsed->get_object());
}

// Returns how many lines there were to show.
std::size_t print_events(const std::vector<std::string>& events, const LogsRequest& request,
                         PlainLines& words, std::size_t at_most) {
  std::vector<std::string> lines;
  for (const std::string& event : events) {
    for (std::string& line : shown(event, request, words))
      lines.push_back(std::move(line));
  }
  const std::size_t first = lines.size() > at_most ? lines.size() - at_most : 0;
  for (std::size_t i = first; i < lines.size(); ++i)
    print_line(lines[i]);
  std::fflush(stdout);
  return lines.size();
}

Result<ExitCode> logs(const LogsRequest& request, const Interrupt& interrupt) {
  const Workspace workspace = GDN_TRY(choose_workspace(request.where));
  LogReader reader(workspace.folder);
  PlainLines words("default", PlainLines::Debug::Show);
  const std::vector<std::string> events = GDN_TRY(reader.read_all());
  const std::size_t found = print_events(events, request, words, request.lines);
  if (request.follow == Answer::No) {
    if (found == 0 && !events.empty()) print_error_line("nothing in the log fits");
    return ExitCode::Ok;
  }
  const os::StopWaker stop(interrupt.token());
  const Deadline end = Clock::now() + kFollowAtMost;
  while (reader.wait(end, stop) == os::Wake::Ready) {
    print_events(GDN_TRY(reader.read_more()), request, words, SIZE_MAX);
    if (std::ferror(stdout) != 0) return ExitCode::Ok;  // whoever read it has gone
  }
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_logs(const LogsRequest& request) {
  const Interrupt interrupt;
  return finish_command(logs(request, interrupt));
}

}  // namespace goondan::cli
