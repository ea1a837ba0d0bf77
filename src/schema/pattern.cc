#include "schema/pattern.h"

#include <re2/re2.h>

#include "schema/ecma_pattern.h"

namespace goondan::schema {
namespace {

// The matcher may have to try every instruction for every byte, at some nanoseconds each.
constexpr std::size_t kStepsPerUnit = 4;

Error pattern_error(std::string message) {
  return {.code = ErrorCode::Schema, .message = std::move(message)};
}

std::string problem(const re2::RE2& program) {
  switch (program.error_code()) {
    case re2::RE2::ErrorRepeatSize:
      return "repeat counts, nested ones multiplied, may not exceed 1000";
    case re2::RE2::ErrorPatternTooLarge:
      return "the pattern needs too much memory; use smaller repeat counts";
    default:
      return "the pattern is not a regular expression: " + program.error();
  }
}

}  // namespace

Pattern::Pattern(std::string_view source, std::unique_ptr<re2::RE2> program)
    : source_(source),
      program_(std::move(program)),
      instructions_(static_cast<std::size_t>(program_->ProgramSize())) {}

Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view source, std::size_t max_memory) {
  const std::string translated = GDN_TRY(translate_ecma_pattern(source));
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(static_cast<std::int64_t>(max_memory));
  auto program = std::make_unique<re2::RE2>(translated, options);
  if (!program->ok()) return pattern_error(problem(*program));
  return Pattern(source, std::move(program));
}

bool Pattern::found_in(std::string_view text, Budget& budget) const {
  if (!budget.charge(4 + text.size() * instructions_ / kStepsPerUnit)) return false;
  return program_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                         re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace goondan::schema
