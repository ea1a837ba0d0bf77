#include "schema/issue_list.h"

#include <algorithm>
#include <string>

#include "base/nearest.h"

namespace goondan::schema {
namespace {

constexpr std::size_t kMaxWordBytes = 64;
constexpr std::size_t kMaxCandidates = 200;
constexpr std::size_t kCellsPerUnit = 2;  // of the table that compares two words

std::string nearest_name(std::string_view word, const NameTable& names, Budget& budget) {
  if (word.empty() || word.size() > kMaxWordBytes) return {};
  std::vector<std::string_view> candidates;
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < names.size() && i < kMaxCandidates; ++i) {
    if (names.name(i).size() > kMaxWordBytes) continue;
    candidates.push_back(names.name(i));
    bytes += names.name(i).size();
  }
  if (!budget.charge_optional(bytes * word.size() / kCellsPerUnit)) return {};
  return std::string(nearest(word, candidates));
}

}  // namespace

void IssueList::add(FoundIssue found) {
  if (full()) return;
  const auto same = [&found](const FoundIssue& other) {
    return other.issue.path == found.issue.path && other.issue.message == found.issue.message;
  };
  if (std::ranges::any_of(found_, same)) return;
  found_.push_back(std::move(found));
}

std::vector<SchemaIssue> IssueList::finish(Budget& budget) && {
  std::vector<SchemaIssue> issues;
  issues.reserve(found_.size());
  for (FoundIssue& found : found_) {
    if (found.candidates != nullptr) {
      found.issue.nearest = nearest_name(found.word, *found.candidates, budget);
    }
    issues.push_back(std::move(found.issue));
  }
  return issues;
}

}  // namespace goondan::schema
