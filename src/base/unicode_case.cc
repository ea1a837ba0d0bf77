#include "base/unicode_case.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/unicode_case_tables.h"

namespace goondan::unicode {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3;
constexpr std::string_view kSmallFinalSigma = "\u03C2";

struct Mapping {
  std::span<const std::uint8_t> block_of;
  std::span<const std::array<std::uint8_t, kBlockSize>> blocks;
  std::span<const std::int32_t> changes;
  std::span<const std::string_view> texts;
  char first_letter;  // of the 26 that change in ASCII
};

constexpr Mapping kUpper{.block_of = kUpperBlockOf,
                         .blocks = kUpperBlocks,
                         .changes = kUpperChanges,
                         .texts = kUpperTexts,
                         .first_letter = 'a'};
constexpr Mapping kLower{.block_of = kLowerBlockOf,
                         .blocks = kLowerBlocks,
                         .changes = kLowerChanges,
                         .texts = kLowerTexts,
                         .first_letter = 'A'};

// Then the block of every character of three bytes has a number.
static_assert(kUpperBlockOf.size() >= 0x10000 / kBlockSize && kBlockSize == 64);
static_assert(kLowerBlockOf.size() >= 0x10000 / kBlockSize);

struct Character {
  char32_t code_point;
  std::size_t length;
};

// How many bytes a character has that begins with `lead`.
std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

// The character that `text`, valid and not empty, begins with.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = length_of(lead);
  if (length == 1 || length > text.size()) return {.code_point = lead, .length = 1};
  char32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i)
    code_point = code_point << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {.code_point = code_point, .length = length};
}

Character last_character(std::string_view text) {
  std::size_t start = text.size() - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80)
    --start;
  return {.code_point = first_character(text.substr(start)).code_point,
          .length = text.size() - start};
}

CaseClass case_class(char32_t code_point) {
  const auto range = std::ranges::lower_bound(kCaseRanges, code_point, {}, &CaseRange::last);
  return range != kCaseRanges.end() && range->first <= code_point ? range->kind : CaseClass::Other;
}

bool ends_in_cased(std::string_view text) {
  while (!text.empty()) {
    const Character last = last_character(text);
    const CaseClass kind = case_class(last.code_point);
    if (kind != CaseClass::Ignorable) return kind == CaseClass::Cased;
    text.remove_suffix(last.length);
  }
  return false;
}

bool begins_with_cased(std::string_view text) {
  while (!text.empty()) {
    const Character first = first_character(text);
    const CaseClass kind = case_class(first.code_point);
    if (kind != CaseClass::Ignorable) return kind == CaseClass::Cased;
    text.remove_prefix(first.length);
  }
  return false;
}

// Maps a text from front to back. What is written goes through a small buffer: appending to the
// string for each character would cost more than the mapping.
class Mapper {
 public:
  Mapper(const Mapping& mapping, std::string_view text) : mapping_(mapping), text_(text) {
    out_.reserve(text.size());
  }

  JsonString run() {
    while (at_ < text_.size()) {
      if (static_cast<unsigned char>(text_[at_]) >= 0x80) {
        if (!copy_caseless()) map_wide_character();
      } else if (!map_ascii_block()) {
        *room(1) = static_cast<char>(map_ascii(static_cast<unsigned char>(text_[at_++])));
        ++used_;
      }
    }
    flush();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kAsciiBlock = 32;
  static constexpr std::size_t kBufferSize = 2048;

  [[nodiscard]] unsigned char map_ascii(unsigned char c) const {
    const auto from_first = static_cast<unsigned char>(c - mapping_.first_letter);
    return static_cast<unsigned char>(c ^ (from_first < 26 ? 0x20 : 0));
  }

  // Bytes 0x80 and up have their highest bit set; a block without any is plain arithmetic, which
  // the compiler does for many bytes at once.
  bool map_ascii_block() {
    if (text_.size() - at_ < kAsciiBlock) return false;
    std::array<unsigned char, kAsciiBlock> block;
    std::memcpy(block.data(), text_.data() + at_, kAsciiBlock);
    unsigned char all = 0;
    for (const unsigned char c : block)
      all |= c;
    if (all >= 0x80) return false;
    for (unsigned char& c : block)
      c = map_ascii(c);
    std::memcpy(room(kAsciiBlock), block.data(), kAsciiBlock);
    used_ += kAsciiBlock;
    at_ += kAsciiBlock;
    return true;
  }

  // Most scripts know no case, and most of their characters have three bytes, of which two name the
  // block: copies a run of them.
  bool copy_caseless() {
    std::size_t end = at_;
    const std::size_t limit = std::min(text_.size(), at_ + kBufferSize);
    while (limit - end >= 3 && length_of(static_cast<unsigned char>(text_[end])) == 3) {
      const auto lead = static_cast<unsigned char>(text_[end]);
      const auto second = static_cast<unsigned char>(text_[end + 1]);
      if (mapping_.block_of[(lead & 0xFU) << 6 | (second & 0x3FU)] != 0) break;
      end += 3;
    }
    if (end == at_) return false;
    put(text_.substr(at_, end - at_));
    at_ = end;
    return true;
  }

  void map_wide_character() {
    const Character c = first_character(text_.substr(at_));
    const std::int32_t change = change_of(c.code_point);
    if (change == 0) {
      put_few(text_.data() + at_, c.length);
    } else if (c.code_point == kCapitalSigma && is_final_sigma(c.length)) {
      put(kSmallFinalSigma);
    } else if (change >= kText) {
      put(mapping_.texts[static_cast<std::size_t>(change - kText)]);
    } else {
      put_code_point(static_cast<char32_t>(static_cast<std::int32_t>(c.code_point) + change));
    }
    at_ += c.length;
  }

  [[nodiscard]] std::int32_t change_of(char32_t code_point) const {
    const std::size_t block = code_point / kBlockSize;
    if (block >= mapping_.block_of.size() || mapping_.block_of[block] == 0) return 0;
    return mapping_.changes[mapping_.blocks[mapping_.block_of[block]][code_point % kBlockSize]];
  }

  // The runs of ignorable characters that are looked through end at the next sigma, so that this
  // stays linear for a text of nothing but sigmas and marks.
  [[nodiscard]] bool is_final_sigma(std::size_t length) const {
    return ends_in_cased(text_.substr(0, at_)) && !begins_with_cased(text_.substr(at_ + length));
  }

  void put(std::string_view bytes) {
    std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
    used_ += bytes.size();
  }

  // One to four bytes, without the cost of a call.
  void put_few(const char* bytes, std::size_t count) {
    char* to = room(count);
    for (std::size_t i = 0; i < count; ++i)
      to[i] = bytes[i];
    used_ += count;
  }

  // Changed letters have two to four bytes, or one where a wide letter becomes an ASCII one.
  void put_code_point(char32_t c) {
    const auto low = [c](unsigned shift) {
      return static_cast<char>(0x80 | ((c >> shift) & 0x3F));
    };
    char* to = room(4);
    char* const begin = to;
    if (c < 0x80) {
      *to++ = static_cast<char>(c);
    } else if (c < 0x800) {
      *to++ = static_cast<char>(0xC0 | c >> 6);
      *to++ = low(0);
    } else if (c < 0x10000) {
      *to++ = static_cast<char>(0xE0 | c >> 12);
      *to++ = low(6);
      *to++ = low(0);
    } else {
      *to++ = static_cast<char>(0xF0 | c >> 18);
      *to++ = low(12);
      *to++ = low(6);
      *to++ = low(0);
    }
    used_ += static_cast<std::size_t>(to - begin);
  }

  char* room(std::size_t bytes) {
    if (kBufferSize - used_ < bytes) flush();
    return buffer_.data() + used_;
  }

  void flush() {
    out_.append(std::string_view(buffer_.data(), used_));
    used_ = 0;
  }

  const Mapping& mapping_;
  std::string_view text_;
  std::size_t at_ = 0;
  JsonString out_;
  std::array<char, kBufferSize> buffer_;  // the first `used_` bytes are set
  std::size_t used_ = 0;
};

}  // namespace

JsonString upper_case(std::string_view text) {
  return Mapper(kUpper, text).run();
}

JsonString lower_case(std::string_view text) {
  return Mapper(kLower, text).run();
}

}  // namespace goondan::unicode
