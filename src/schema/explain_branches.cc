#include <algorithm>
#include <optional>

#include "schema/explainer.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

constexpr std::size_t kMaxBranches = 32;      // that are looked into
constexpr std::size_t kMaxBranchIssues = 10;  // of each

// How far a value is from a branch. A wrong type, or a wrong `const` in a member that tells the
// branches apart, weighs more than any number of details.
std::size_t distance(const IssueList& branch, std::size_t depth) {
  std::size_t sum = 0;
  for (const FoundIssue& found : branch.found()) {
    switch (found.kind) {
      case IssueKind::Type:
        sum += found.depth == depth ? 10'000 : 2;
        break;
      case IssueKind::Choice:
        sum += found.depth <= depth + 1 ? 100 : 2;
        break;
      case IssueKind::Missing:
      case IssueKind::Unexpected:
        sum += 3;
        break;
      case IssueKind::Other:
        sum += 1;
        break;
    }
  }
  return sum;
}

const FoundIssue* find_at(const IssueList& branch, IssueKind kind, std::size_t depth) {
  const auto found = std::ranges::find_if(branch.found(), [&](const FoundIssue& issue) {
    return issue.kind == kind && issue.depth == depth;
  });
  return found == branch.found().end() ? nullptr : &*found;
}

// One issue that says what all branches expect, if each of them fails by the type of the value.
std::optional<FoundIssue> joined_types(const std::vector<IssueList>& branches, std::size_t depth) {
  std::vector<std::string_view> types;
  FoundIssue joined;
  for (const IssueList& branch : branches) {
    const FoundIssue* type = find_at(branch, IssueKind::Type, depth);
    if (type == nullptr) return std::nullopt;
    joined = *type;
    if (std::ranges::find(types, type->issue.expected) == types.end()) {
      types.push_back(type->issue.expected);
    }
  }
  std::string expected;
  for (const std::string_view type : types) {
    if (!expected.empty()) expected += '|';
    expected += type;
  }
  joined.issue.message = "expected " + expected + " but got " + joined.issue.got;
  joined.issue.expected = std::move(expected);
  return joined;
}

// The same if each fails only by the choice of the value.
std::optional<FoundIssue> joined_choices(const std::vector<IssueList>& branches,
                                         std::size_t depth) {
  std::vector<Json> values;
  FoundIssue joined;
  for (const IssueList& branch : branches) {
    const FoundIssue* choice = find_at(branch, IssueKind::Choice, depth);
    if (choice == nullptr || branch.found().size() > 1) return std::nullopt;
    joined = *choice;
    values.insert(values.end(), choice->choices->values.begin(), choice->choices->values.end());
  }
  joined.candidates = nullptr;
  joined.issue.expected = "one of " + list_text(values);
  joined.issue.message = "value must be " + joined.issue.expected;
  return joined;
}

}  // namespace

IssueList Explainer::explore(NodeIndex index, const Json& value, const ValuePath& at) {
  IssueList branch(kMaxBranchIssues);
  std::swap(issues_, branch);
  explain(index, value, at);
  std::swap(issues_, branch);
  return branch;
}

void Explainer::explain_any_of(const std::vector<NodeIndex>& branches, const Json& value,
                               const ValuePath& at, Evaluated* evaluated) {
  bool any = false;
  for (const NodeIndex node : branches) {
    any = valid_trial(node, value, evaluated) || any;
  }
  if (!any) explain_no_match(branches, value, at);
}

void Explainer::explain_one_of(const std::vector<NodeIndex>& branches, const Json& value,
                               const ValuePath& at, Evaluated* evaluated) {
  const auto matches = std::ranges::count_if(
      branches, [&](NodeIndex node) { return valid_trial(node, value, evaluated); });
  if (matches == 0) explain_no_match(branches, value, at);
  if (matches < 2 || run_.budget.exhausted()) return;
  add_other(at,
            "value matches " + std::to_string(matches) +
                " variants of \"oneOf\" but must match exactly one",
            "exactly one variant", short_text(value));
}

void Explainer::explain_no_match(const std::vector<NodeIndex>& branches, const Json& value,
                                 const ValuePath& at) {
  ++unmatched_;
  std::vector<IssueList> explored;
  for (const NodeIndex node : branches) {
    if (done() || explored.size() == kMaxBranches) break;
    explored.push_back(explore(node, value, at));
  }
  if (done()) return;
  if (auto types = joined_types(explored, at.depth)) return issues_.add(std::move(*types));
  if (auto choices = joined_choices(explored, at.depth)) return issues_.add(std::move(*choices));
  const auto nearest = std::ranges::min_element(
      explored, {}, [&at](const IssueList& branch) { return distance(branch, at.depth); });
  for (const FoundIssue& found : nearest->found())
    issues_.add(found);
}

}  // namespace goondan::schema
