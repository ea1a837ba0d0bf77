#include "builtin/text_transform/finder.h"

#include <algorithm>
#include <cstring>

namespace goondan::builtin::text_transform {
namespace {

// Comparing so few bytes at every place that looks right is still linear; for longer ones the C
// library has an algorithm that is.
constexpr std::size_t kShort = 16;

}  // namespace

Finder::Finder(std::string_view text, std::string_view needle) : text_(text), needle_(needle) {
  if (needle_.size() <= kShort) load_block();
}

std::size_t Finder::next() {
  const std::size_t found = needle_.size() <= kShort ? next_short() : next_long();
  if (found != kNone) after_ = found + needle_.size();
  return found;
}

// Whether a block and the bytes that the needle's end is compared with lie within the text.
void Finder::load_block() {
  const std::size_t reach = ByteBlock::kSize + needle_.size() - 1;
  if (text_.size() < reach || block_ > text_.size() - reach) return;
  const char* begin = text_.data() + block_;
  candidates_ = ByteBlock(begin).equal_to(needle_.front()) &
                ByteBlock(begin + needle_.size() - 1).equal_to(needle_.back());
}

std::size_t Finder::next_short() {
  const std::size_t reach = ByteBlock::kSize + needle_.size() - 1;
  while (block_ + reach <= text_.size()) {
    while (candidates_ != 0) {
      const std::size_t at = block_ + first_of(candidates_);
      candidates_ &= candidates_ - 1;
      // The first and the last byte fit already.
      if (at >= after_ && (needle_.size() <= 2 || stands_at(at))) return at;
    }
    block_ += ByteBlock::kSize;
    load_block();
  }
  return next_near_the_end();
}

std::size_t Finder::next_near_the_end() {
  block_ = std::max(block_, after_);
  for (; block_ + needle_.size() <= text_.size(); ++block_) {
    if (stands_at(block_)) return block_;
  }
  return kNone;
}

std::size_t Finder::next_long() {
  const std::string_view rest = text_.substr(after_);
  const void* found = ::memmem(rest.data(), rest.size(), needle_.data(), needle_.size());
  if (found == nullptr) return kNone;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
}

bool Finder::stands_at(std::size_t at) const {
  return std::memcmp(text_.data() + at, needle_.data(), needle_.size()) == 0;
}

}  // namespace goondan::builtin::text_transform
