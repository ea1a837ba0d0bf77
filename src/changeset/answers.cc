#include "changeset/answers.h"

namespace goondan::changeset {
namespace {

constexpr std::size_t kMaxDiagnostics = 20;
constexpr std::size_t kMaxNamedFiles = 200;

JsonArray json_list(const std::vector<std::string>& texts) {
  JsonArray list;
  for (const std::string& text : texts) {
    if (list.size() == kMaxNamedFiles) break;
    list.emplace_back(text);
  }
  return list;
}

}  // namespace

Json refused(JsonObject about, const Refusal& refusal) {
  JsonObject error{{"code", refusal.code}, {"message", refusal.message}};
  if (!refusal.suggestion.empty()) error["suggestion"] = refusal.suggestion;
  if (!refusal.files_key.empty()) error[refusal.files_key] = json_list(refusal.files);
  if (!refusal.diagnostics.empty()) error["diagnostics"] = refusal.diagnostics;
  about["status"] = refusal.status;
  about["error"] = std::move(error);
  return about;
}

Json accepted(JsonObject about, const Repository& repository, const std::vector<FileStep>& steps) {
  std::vector<std::string> changed;
  std::vector<std::string> added;
  std::vector<std::string> deleted;
  for (const FileStep& step : steps) {
    std::string path = repository.in_bundle(step.path).value_or(step.path);
    (!step.before ? added : !step.after ? deleted : changed).push_back(std::move(path));
  }
  about["status"] = "ok";
  about["summary"] = JsonObject{{"filesChanged", json_list(changed)},
                                {"filesAdded", json_list(added)},
                                {"filesDeleted", json_list(deleted)}};
  return about;
}

Refusal invalid_bundle(const BundleReport& report, std::string_view when) {
  Refusal refusal{
      .status = "rejected",
      .code = "BUNDLE_INVALID",
      .message = "the bundle would not be valid " + std::string(when),
      .suggestion = "Mend what `diagnostics` name and try again; the bundle is as before."};
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.severity != Severity::Error) continue;
    if (refusal.diagnostics.empty()) refusal.message += ": " + diagnostic.message;
    if (refusal.diagnostics.size() < kMaxDiagnostics)
      refusal.diagnostics.push_back(diagnostic.to_json());
  }
  return refusal;
}

std::optional<Refusal> in_the_middle(const Repository& repository) {
  if (repository.git().git_repository_state(repository.get()) == GIT_REPOSITORY_STATE_NONE)
    return std::nullopt;
  return Refusal{.status = "conflict",
                 .code = "MERGE_CONFLICT",
                 .message =
                     "somebody is in the middle of a merge, a rebase or the like in the "
                     "bundle's repository",
                 .suggestion = "Try again when it is finished.",
                 .files_key = "conflictingFiles"};
}

std::vector<std::string> seen_from_bundle(const Repository& repository,
                                          const std::vector<std::string>& paths) {
  std::vector<std::string> seen;
  for (const std::string& path : paths)
    seen.push_back(repository.in_bundle(path).value_or(path));
  return seen;
}

}  // namespace goondan::changeset
