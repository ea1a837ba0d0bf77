// The issues found so far, with what is needed to compare and complete them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "schema/budget.h"
#include "schema/name_table.h"
#include "schema/program.h"
#include "schema/schema.h"

namespace goondan::schema {

enum class IssueKind { Type, Choice, Missing, Unexpected, Other };

// Borrows from the checked value and the program.
struct FoundIssue {
  IssueKind kind = IssueKind::Other;
  std::size_t depth = 0;  // of its path
  SchemaIssue issue;
  const Choices* choices = nullptr;  // of a `Choice`
  std::string_view word = {};        // what was given where one of `candidates` was meant
  const NameTable* candidates = nullptr;
};

// A value. Keeps at most as many issues as it was made for, and none twice.
class IssueList {
 public:
  explicit IssueList(std::size_t max_issues) : max_issues_(max_issues) {}

  void add(FoundIssue found);
  [[nodiscard]] bool full() const { return found_.size() >= max_issues_; }
  [[nodiscard]] const std::vector<FoundIssue>& found() const { return found_; }

  // The issues, each with the nearest valid word where there is one and the budget allows.
  std::vector<SchemaIssue> finish(Budget& budget) &&;

 private:
  std::size_t max_issues_;
  std::vector<FoundIssue> found_;
};

}  // namespace goondan::schema
