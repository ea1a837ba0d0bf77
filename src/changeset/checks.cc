#include "changeset/checks.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "changeset/git_names.h"
#include "changeset/glob.h"

namespace goondan::changeset {
namespace {

Refusal violation(std::string message, std::string suggestion, std::vector<std::string> files) {
  return {.status = "rejected",
          .code = "POLICY_VIOLATION",
          .message = std::move(message),
          .suggestion = std::move(suggestion),
          .files_key = "violatedFiles",
          .files = std::move(files)};
}

std::optional<Refusal> over_limit(const Scan& scan) {
  if (scan.limit == Scan::Limit::Kept) return std::nullopt;
  Refusal refusal{
      .status = "rejected",
      .code = "LIMIT_EXCEEDED",
      .message = "more than " + std::to_string(kMaxChangedBytes >> 20) + " MiB are changed",
      .suggestion = "Remove what does not belong to the bundle, or let .gitignore name it."};
  if (scan.limit == Scan::Limit::TooManyFiles)
    refusal.message = "more than " + std::to_string(kMaxChangedFiles) + " files are changed";
  if (scan.limit == Scan::Limit::TooDeep)
    refusal.message = "new folders are more than " + std::to_string(kMaxNewFolders) + " deep";
  return refusal;
}

// The bundle's links as they would be.
std::vector<std::string> links_after(const Repository& repository, const Scan& scan,
                                     const TreeFiles& base) {
  std::set<std::string> links;
  for (const auto& [path, file] : base)
    if (file.mode == GIT_FILEMODE_LINK) links.insert(path);
  for (const Change& change : scan.changes) {
    links.erase(change.path);
    if (change.kind != Change::Kind::Deleted && change.mode == GIT_FILEMODE_LINK)
      links.insert(change.path);
  }
  std::vector<std::string> inside;
  for (const std::string& link : links)
    if (const auto path = repository.in_bundle(link)) inside.push_back(*path);
  return inside;
}

std::vector<std::string> links_outside(const Repository& repository, const Scan& scan,
                                       const TreeFiles& base) {
  const std::vector<std::string> links = links_after(repository, scan, base);
  std::vector<std::string> wrong;
  for (const Change& change : scan.changes) {
    if (change.kind == Change::Kind::Deleted || change.mode != GIT_FILEMODE_LINK) continue;
    const std::string path = repository.in_bundle(change.path).value_or(change.path);
    if (!link_stays_inside(path, change.bytes, links)) wrong.push_back(path);
  }
  return wrong;
}

}  // namespace

bool link_stays_inside(const std::string& path, const std::string& target,
                       const std::vector<std::string>& links) {
  if (target.empty() || target.starts_with('/') || target.find('\0') != std::string::npos)
    return false;
  std::filesystem::path at = std::filesystem::path(path).parent_path();
  bool down = false;
  for (const std::filesystem::path& part : std::filesystem::path(target)) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (down || at.empty()) return false;
      at = at.parent_path();
      continue;
    }
    if (names_git_folder(part.native())) return false;
    down = true;
    at /= part;
    if (std::ranges::find(links, at.generic_string()) != links.end()) return false;
  }
  return true;
}

std::optional<Refusal> first_objection(const Repository& repository, const Scan& scan,
                                       const TreeFiles& base, const Policy& policy) {
  if (!policy.enabled)
    return violation("changesets are switched off by the policy of the swarm or the agent", "", {});
  if (const std::optional<Refusal> limit = over_limit(scan)) return limit;
  if (!scan.unsupported.empty()) {
    return violation(
        "these cannot be part of a changeset: submodules, repositories inside the bundle, sockets, "
        "pipes, devices, and names that Git keeps for itself",
        "Remove them.", seen_from_bundle(repository, scan.unsupported));
  }
  std::vector<std::string> outside;
  std::vector<std::string> inside;
  for (const Change& change : scan.changes) {
    const std::optional<std::string> path = repository.in_bundle(change.path);
    (path ? inside : outside).push_back(path.value_or(change.path));
  }
  if (!outside.empty()) {
    return violation("these files are outside of the bundle",
                     "Change only what is below '" + repository.offset() + "'.",
                     std::move(outside));
  }
  if (std::vector<std::string> wrong = violations(policy, inside); !wrong.empty()) {
    return violation("the policy does not let these files be changed",
                     "Undo the changes to them, or ask the operator to allow them: "
                     "policy.changesets.allowed.files.",
                     std::move(wrong));
  }
  if (std::vector<std::string> links = links_outside(repository, scan, base); !links.empty()) {
    return violation(
        "these links lead out of the bundle, through another link, or to Git's own files",
        "Copy the files instead.", std::move(links));
  }
  return std::nullopt;
}

}  // namespace goondan::changeset
