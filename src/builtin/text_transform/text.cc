#include "builtin/text_transform/text.h"

#include <array>
#include <cstring>

#include "base/byte_block.h"
#include "base/utf8.h"
#include "builtin/arguments.h"

namespace goondan::builtin::text_transform {
namespace {

constexpr std::size_t kBlock = 32;  // bytes that the compiler handles at once
using Block = std::array<unsigned char, kBlock>;

Block block_at(std::string_view text, std::size_t at) {
  Block block;
  std::memcpy(block.data(), text.data() + at, kBlock);
  return block;
}

bool begins_character(unsigned char byte) {
  return (byte & 0xC0) != 0x80;
}

std::size_t characters_begun(const Block& block) {
  unsigned char count = 0;
  for (const unsigned char c : block)
    count = static_cast<unsigned char>(count + (begins_character(c) ? 1 : 0));
  return count;
}

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// The length of the character at `at`, 0 if it is ill-formed. Those of three bytes that can be no
// overlong form are the most frequent; the rest is for `utf8`.
std::size_t wide_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead > 0xE0 && lead < 0xF0 && text.size() - at >= 3 && continues(text[at + 1]) &&
      continues(text[at + 2]) &&
      (lead != 0xED || static_cast<unsigned char>(text[at + 1]) < 0xA0)) {
    return 3;
  }
  return utf8::sequence_length(text.substr(at));
}

bool is_valid(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= ByteBlock::kSize) {
      const ByteBlock::Mask wide = ByteBlock(text.data() + at).wide();
      at += wide == 0 ? ByteBlock::kSize : first_of(wide);
      if (wide == 0) continue;
    }
    // A run of wide characters, then the block after it.
    do {
      const std::size_t length = wide_length(text, at);
      if (length == 0) return false;
      at += length;
    } while (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80);
  }
  return true;
}

}  // namespace

CleanText::CleanText(std::string_view text) : given_(text) {
  if (!is_valid(text)) repaired_ = utf8::repaired(text);
}

Result<CleanText> required_text(const JsonObject& input, std::string_view key) {
  const std::optional<std::string_view> text = text_argument(input, key);
  if (!text || text->empty()) return invalid_argument(key, "must be a non-empty string");
  return CleanText(*text);
}

CleanText optional_text(const JsonObject& input, std::string_view key, std::string_view fallback) {
  return CleanText(text_argument(input, key).value_or(fallback));
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  std::size_t at = 0;
  for (; text.size() - at >= kBlock; at += kBlock)
    count += characters_begun(block_at(text, at));
  for (; at < text.size(); ++at)
    count += begins_character(static_cast<unsigned char>(text[at])) ? 1 : 0;
  return count;
}

std::size_t byte_offset(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  while (text.size() - at >= kBlock) {
    const std::size_t begun = characters_begun(block_at(text, at));
    if (begun > index) break;
    index -= begun;
    at += kBlock;
  }
  for (; at < text.size(); ++at) {
    if (begins_character(static_cast<unsigned char>(text[at])) && index-- == 0) return at;
  }
  return text.size();
}

}  // namespace goondan::builtin::text_transform
