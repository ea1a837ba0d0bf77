#include "cli/bundle_command.h"

#include <filesystem>

#include "base/json_fields.h"
#include "changeset/changesets.h"
#include "cli/bundle_choice.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortCommit = 8;

// A folder with a bundle, or the `goondan.yaml` in it.
Result<changeset::Changesets> history_of(const std::string& path) {
  fs::path root = path;
  std::error_code ignored;
  if (fs::is_regular_file(root, ignored)) root = fs::absolute(root, ignored).parent_path();
  if (!has_bundle(root)) {
    return Error{.code = ErrorCode::ConfigFileNotFound,
                 .message = "there is no goondan.yaml in '" + path + "'",
                 .suggestion = "Give the bundle's folder."};
  }
  return changeset::Changesets(
      {.bundle_root = root, .worktrees = store::state_root() / "worktrees" / "gdn-bundle"});
}

std::string short_commit(const JsonObject& object, std::string_view key) {
  std::string text = text_field(object, key);
  if (text.starts_with("git:")) text.erase(0, 4);
  return text.substr(0, kShortCommit);
}

// `2026-01-15 10:00`
std::string minute_of(const std::string& time) {
  std::string text = time.substr(0, 16);
  if (const std::size_t t = text.find('T'); t != std::string::npos) text[t] = ' ';
  return text;
}

Result<ExitCode> show_log(const BundleLogRequest& request) {
  changeset::Changesets history = GDN_TRY(history_of(request.path));
  const std::vector<Json> entries = GDN_TRY(history.log(request.limit));
  if (request.json == Answer::Yes) {
    print_line(to_text(JsonObject{{"commits", JsonArray(entries.begin(), entries.end())}}));
    return ExitCode::Ok;
  }
  Table table({"COMMIT", "TIME (UTC)", "AUTHOR", "SUBJECT"});
  for (const Json& entry : entries) {
    const JsonObject& fields = entry.as_object();
    table.add({short_commit(fields, "sha"), minute_of(text_field(fields, "time")),
               text_field(fields, "author"), text_field(fields, "subject")});
  }
  if (table.empty()) print_error_line("No commit has touched this bundle yet.");
  if (!table.empty()) print(table.text());
  return ExitCode::Ok;
}

Style style_of(std::string_view line) {
  if (line.starts_with("+++") || line.starts_with("---")) return Style::Bold;
  if (line.starts_with("diff ")) return Style::Bold;
  if (line.starts_with('+')) return Style::Green;
  if (line.starts_with('-')) return Style::Red;
  return line.starts_with("@@") ? Style::Cyan : Style::Plain;
}

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line)
    text += c == '\t' ? std::string("    ") : std::string(1, c);
  return text;
}

// On a terminal coloured and harmless; elsewhere as it is, so that it can be applied.
void print_diff(std::string_view diff) {
  if (!is_terminal(Stream::Out)) {
    print(diff);
    return;
  }
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    print_line(styled(printable(without_tabs(line)), style_of(line), Stream::Out));
    diff.remove_prefix(std::min(line.size() + 1, diff.size()));
  }
}

Result<ExitCode> show_diff(const BundleDiffRequest& request) {
  changeset::Changesets history = GDN_TRY(history_of(request.bundle));
  const std::string diff = GDN_TRY(history.diff(request.from, request.to));
  if (diff.empty()) print_error_line("The bundle is the same in both commits.");
  print_diff(diff);
  return ExitCode::Ok;
}

std::size_t count_of(const JsonObject& summary, std::string_view key) {
  const JsonArray* files = array_field(summary, key);
  return files == nullptr ? 0 : files->size();
}

void print_rollback(const JsonObject& answer) {
  if (!answer.contains("newRef")) {
    print_line("The bundle's files are the same already; nothing was done.");
    return;
  }
  const JsonObject* summary = object_field(answer, "summary");
  print_line("Rolled back with the new commit " + short_commit(answer, "newRef") + ": " +
             std::to_string(count_of(*summary, "filesChanged")) + " changed, " +
             std::to_string(count_of(*summary, "filesAdded")) + " added, " +
             std::to_string(count_of(*summary, "filesDeleted")) + " deleted.");
  print_error_line("A swarm that runs takes it with `gdn restart`.");
}

// The files that an answer names, for the end of a message.
std::string named_files(const JsonObject& error) {
  std::string names;
  if (const JsonArray* files = array_field(error, "conflictingFiles")) {
    for (const Json& file : *files)
      names += (names.empty() ? ": " : ", ") + std::string(file.as_string());
  }
  return names;
}

ExitCode print_refusal(const JsonObject& answer) {
  const JsonObject& error = *object_field(answer, "error");
  print_error({.code = ErrorCode::Config,
               .message = text_field(error, "message") + named_files(error),
               .suggestion = text_field(error, "suggestion")});
  const JsonArray* diagnostics = array_field(error, "diagnostics");
  return diagnostics == nullptr ? ExitCode::Config : ExitCode::Validation;
}

Result<ExitCode> roll_back(const BundleRollbackRequest& request) {
  changeset::Changesets history = GDN_TRY(history_of(request.bundle));
  const Json answer = GDN_TRY(history.rollback(request.ref, request.message, ""));
  const JsonObject& fields = answer.as_object();
  const bool good = text_field(fields, "status") == "ok";
  if (request.json == Answer::Yes) print_line(to_text(answer));
  if (!good) return print_refusal(fields);
  if (request.json == Answer::No) print_rollback(fields);
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_bundle_log(const BundleLogRequest& request) {
  return finish_command(show_log(request));
}

ExitCode run_bundle_diff(const BundleDiffRequest& request) {
  return finish_command(show_diff(request));
}

ExitCode run_bundle_rollback(const BundleRollbackRequest& request) {
  return finish_command(roll_back(request));
}

}  // namespace goondan::cli
