#include "builtin/file_system/file_text.h"

#include "base/utf8.h"

namespace goondan::builtin::file_system {
namespace {

constexpr std::size_t kMaxCharacterBytes = 4;

bool is_ascii(std::string_view bytes) {
  unsigned char all = 0;
  for (const char byte : bytes)
    all |= static_cast<unsigned char>(byte);
  return all < 0x80;
}

// Whether some bytes after `bytes` would make one character of it.
bool begins_character(std::string_view bytes) {
  for (const char fill : {'\x80', '\xBF'}) {
    std::string whole(bytes);
    whole.append(kMaxCharacterBytes, fill);
    if (utf8::sequence_length(whole) > bytes.size()) return true;
  }
  return false;
}

// How many bytes at the end are the beginning of a character.
std::size_t unfinished(std::string_view bytes) {
  for (std::size_t count = 1; count < kMaxCharacterBytes && count <= bytes.size(); ++count) {
    if (begins_character(bytes.substr(bytes.size() - count))) return count;
  }
  return 0;
}

}  // namespace

std::string file_text(os::FileContent content) {
  if (is_ascii(content.bytes)) return std::move(content.bytes);
  if (content.truncated) content.bytes.resize(content.bytes.size() - unfinished(content.bytes));
  return utf8::valid(content.bytes) ? std::move(content.bytes) : utf8::repaired(content.bytes);
}

std::string file_text(os::FileContent content, const Redactor& redactor) {
  const bool cut = content.truncated;
  std::string text = file_text(std::move(content));
  return cut ? redactor.redact_cut(text, CutSide::End) : text;
}

}  // namespace goondan::builtin::file_system
