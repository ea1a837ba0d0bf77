#include "schema/pattern.h"

#include <re2/re2.h>

#include "schema/ecma_pattern.h"

namespace goondan::schema {
namespace {

constexpr std::size_t kStepsPerUnit = 4;
constexpr std::size_t kMaxSmallAtoms = 12;
constexpr std::size_t kBytesPerState = 2048;

// Whether the automaton that a text makes the matcher build surely fits into its memory: a state
// is a set of atoms, each perhaps in the middle of a character. It then takes one step for a byte;
// if not, the matcher may have to try every instruction for every byte.
bool surely_small(const TranslatedPattern& pattern, std::size_t instructions, std::size_t memory) {
  if (pattern.has_repeats || pattern.atoms > kMaxSmallAtoms) return false;
  const std::size_t states = (std::size_t{1} << pattern.atoms) * instructions;
  return states * (instructions * sizeof(int) + kBytesPerState) <= memory / 2;
}

Error pattern_error(std::string message) {
  return {.code = ErrorCode::Schema, .message = std::move(message)};
}

std::string problem(const re2::RE2& program) {
  switch (program.error_code()) {
    case re2::RE2::ErrorRepeatSize:
      return "repeat counts, nested ones multiplied, may not exceed 1000";
    case re2::RE2::ErrorPatternTooLarge:
      return "the pattern needs too much memory; use smaller repeat counts";
    case re2::RE2::ErrorBadCharRange:  // ranges have been checked: only a property is left
      return "the Unicode property " + program.error_arg() +
             " is not supported; general categories and scripts are";
    default:
      return "the pattern is not a regular expression: " + program.error();
  }
}

}  // namespace

Pattern::Pattern(std::string_view source, std::unique_ptr<re2::RE2> program)
    : source_(source),
      program_(std::move(program)),
      instructions_(static_cast<std::size_t>(program_->ProgramSize())),
      steps_per_byte_(instructions_) {}

Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view source, std::size_t max_memory) {
  const TranslatedPattern translated = GDN_TRY(translate_ecma_pattern(source));
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(static_cast<std::int64_t>(max_memory));
  auto program = std::make_unique<re2::RE2>(translated.text, options);
  if (!program->ok()) return pattern_error(problem(*program));
  Pattern pattern(source, std::move(program));
  if (surely_small(translated, pattern.instructions_, max_memory)) pattern.steps_per_byte_ = 1;
  return pattern;
}

bool Pattern::found_in(std::string_view text, Budget& budget) const {
  if (!budget.charge(4 + text.size() * steps_per_byte_ / kStepsPerUnit)) return false;
  return program_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                         re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace goondan::schema
