// Names of tools by pattern: `bash__exec`, `mail__*`, `*__delete`. `*` stands for anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace goondan::shipped {

bool matches_pattern(std::string_view pattern, std::string_view name);

// Value.
class NamePatterns {
 public:
  explicit NamePatterns(std::vector<std::string> patterns = {}) : patterns_(std::move(patterns)) {}

  [[nodiscard]] bool match(std::string_view name) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace goondan::shipped
