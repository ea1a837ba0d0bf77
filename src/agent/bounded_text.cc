#include "agent/bounded_text.h"

#include "base/utf8.h"

namespace goondan::agent {
namespace {

// Observations travel inside other values, and readers of frames allow 64 levels.
constexpr std::size_t kObservedLevels = 32;
constexpr std::size_t kEscapedByte = 6;  // \u001f, the longest there is
constexpr std::size_t kReplacement = 3;  // U+FFFD in place of a stray byte
constexpr unsigned char kFirstPrintable = 0x20;
constexpr std::string_view kCut = "\n... (cut)";

std::size_t escaped_size(std::string_view character) {
  if (character.size() > 1) return character.size();
  const char byte = character.front();
  if (byte == '"' || byte == '\\') return 2;
  if (static_cast<unsigned char>(byte) < kFirstPrintable) return kEscapedByte;
  return utf8::valid(character) ? 1 : kReplacement;
}

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(utf8::sequence_length(text), 1));
}

}  // namespace

std::string_view byte_prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  // A character has at most four bytes: the one that reaches past the end began at most three
  // before it.
  constexpr std::size_t kMaxLead = 3;
  for (std::size_t back = 1; back <= std::min(kMaxLead, bytes); ++back) {
    const std::size_t begin = bytes - back;
    if (utf8::sequence_length(text.substr(begin)) > back) return text.substr(0, begin);
  }
  return text.substr(0, bytes);
}

std::string_view json_prefix(std::string_view text, std::size_t bytes) {
  if (text.size() * kEscapedByte <= bytes) return text;
  std::size_t used = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::string_view character = first_character(text.substr(end));
    used += escaped_size(character);
    if (used > bytes) break;
    end += character.size();
  }
  return text.substr(0, end);
}

bool deeper_than(const Json& value, std::size_t levels) {
  if (!value.is_structured()) return false;
  if (levels == 0) return true;
  const auto deep = [levels](const Json& inner) { return deeper_than(inner, levels - 1); };
  if (value.is_array()) return std::ranges::any_of(value.get_array(), deep);
  return std::ranges::any_of(value.get_object(),
                             [&deep](const auto& member) { return deep(member.value()); });
}

Json observed_value(const Json& value) {
  const std::string text = value.is_string() ? std::string(value.get_string()) : to_text(value);
  const std::string_view shown = utf8::prefix(text, kObservedCharacters);
  if (shown.size() == text.size() && !deeper_than(value, kObservedLevels)) return value;
  std::string cut = utf8::repaired(shown);
  if (shown.size() < text.size()) cut += kCut;
  return Json(JsonString(cut));
}

Json frame_value(const Json& value) {
  const std::string text = value.is_string() ? std::string(value.get_string()) : to_text(value);
  const bool fits = text.size() <= kMaxFrameTextBytes && !deeper_than(value, kObservedLevels);
  return fits ? value : Json(JsonString(frame_text(text)));
}

std::string frame_text(std::string_view text) {
  const std::string_view shown = json_prefix(text, kMaxFrameTextBytes);
  std::string cut(shown);
  if (shown.size() < text.size()) cut += kCut;
  return cut;
}

}  // namespace goondan::agent
