#include "os/command_output.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"

namespace goondan::os {
namespace {

constexpr std::size_t kLongestCharacter = 4;

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// How many bytes the character that begins with `lead` should have.
std::size_t expected_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte >= 0xF0) return 4;
  if (byte >= 0xE0) return 3;
  return byte >= 0xC0 ? 2 : 1;
}

// Without a character at the end of which the rest was cut off.
std::string_view without_split_end(std::string_view text) {
  for (std::size_t back = 1; back < kLongestCharacter && back <= text.size(); ++back) {
    const char byte = text[text.size() - back];
    if (is_continuation(byte)) continue;
    return expected_length(byte) > back ? text.substr(0, text.size() - back) : text;
  }
  return text;
}

// Without the rest of a character whose beginning was cut off.
std::string_view without_split_begin(std::string_view text) {
  std::size_t count = 0;
  while (count < kLongestCharacter - 1 && count < text.size() && is_continuation(text[count]))
    ++count;
  return text.substr(count);
}

std::string shown(std::string_view part, const Redactor* redactor, CutSide side) {
  std::string text = utf8::repaired(part);
  return redactor == nullptr ? text : redactor->redact_cut(text, side);
}

}  // namespace

std::span<char> CommandOutput::room() {
  if (total_ < half_) {
    if (!head_) head_ = std::make_unique_for_overwrite<char[]>(half_);
    return {head_.get() + total_, half_ - static_cast<std::size_t>(total_)};
  }
  if (!tail_) tail_ = std::make_unique_for_overwrite<char[]>(half_);
  return {tail_.get() + tail_position(), half_ - tail_position()};
}

void CommandOutput::add(std::size_t count) {
  total_ += count;
}

std::string CommandOutput::tail() const {
  if (total_ <= half_) return {};
  const std::string_view ring(tail_.get(), half_);
  if (!cut()) return std::string(ring.substr(0, static_cast<std::size_t>(total_ - half_)));
  return std::string(ring.substr(tail_position())).append(ring.substr(0, tail_position()));
}

std::string CommandOutput::text_at_cuts(const Redactor* redactor) const {
  const std::string_view head(head_.get(),
                              static_cast<std::size_t>(std::min<std::uint64_t>(total_, half_)));
  const std::string end = tail();
  if (!cut()) return utf8::repaired(std::string(head).append(end));
  const std::string_view first = without_split_end(head);
  const std::string_view last = without_split_begin(end);
  const std::uint64_t left_out = total_ - first.size() - last.size();
  return shown(first, redactor, CutSide::End) + "\n... (" + std::to_string(left_out) +
         " bytes left out) ...\n" + shown(last, redactor, CutSide::Begin);
}

}  // namespace goondan::os
