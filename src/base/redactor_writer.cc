#include "base/redactor_writer.h"

#include <algorithm>

#include "base/redactor.h"

namespace goondan {

void MaskWriter::write(std::string& out, std::string_view text,
                       const std::vector<SecretScanner::Hit>& hits, std::size_t end) {
  const auto copy_to = [&](std::size_t to) {
    if (to > written_) out.append(text.substr(written_, to - written_));
    written_ = std::max(written_, to);
  };
  if (masked_ != kNothing) written_ = std::max(written_, std::min(masked_, end));
  for (const SecretScanner::Hit& hit : hits) {
    if (hit.range.begin >= end) break;
    if (masked_ == kNothing || hit.range.begin > masked_) {
      copy_to(hit.range.begin);
      out += kRedacted;
      masked_ = hit.range.end;
    }
    masked_ = std::max(masked_, hit.range.end);
    written_ = std::min(masked_, end);
  }
  copy_to(end);
}

void MaskWriter::forget(std::size_t count) {
  written_ -= count;
  masked_ = masked_ == kNothing || masked_ < count ? kNothing : masked_ - count;
}

}  // namespace goondan
