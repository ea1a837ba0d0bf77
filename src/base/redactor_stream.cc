#include "base/redactor_stream.h"

#include <algorithm>

namespace goondan {
namespace {

// What patterns and masks look back at.
constexpr std::size_t kContext = 2 * kPatternLookBehind;
static_assert(kContext >= kPatternLookBehind + kRedacted.size());

}  // namespace

std::string StreamRedactor::push(std::string_view piece) {
  held_ += piece;
  const SecretScanner::Findings findings =
      redactor_.scanner()->scan(held_, writer_.written(), TextEnd::MoreFollows);
  std::string out;
  writer_.write(out, held_, findings.hits, std::max(writer_.written(), findings.undecided_from));
  const std::size_t done = writer_.written() - std::min(writer_.written(), kContext);
  held_.erase(0, done);
  writer_.forget(done);
  return out;
}

std::string StreamRedactor::finish() {
  const SecretScanner::Findings findings =
      redactor_.scanner()->scan(held_, writer_.written(), TextEnd::Final);
  std::string out;
  writer_.write(out, held_, findings.hits, held_.size());
  held_.clear();
  writer_ = {};
  return out;
}

}  // namespace goondan
