#include "extension/shipped/extension_message.h"

#include "base/ids.h"
#include "base/json_fields.h"
#include "base/utf8.h"

namespace goondan::shipped {
namespace {

constexpr std::string_view kEllipsis = "…";

bool space_or_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7f;
}

}  // namespace

Message extension_message(Role role, std::string text, std::string_view extension,
                          JsonObject metadata) {
  const std::string_view name = role == Role::System ? "system" : "user";
  return {.id = make_id("msg_"),
          .data = {{"role", name}, {"content", std::move(text)}},
          .metadata = std::move(metadata),
          .created_at = iso_now(),
          .source = {{"type", "extension"}, {"extensionName", extension}}};
}

bool is_from_extension(const Message& message, std::string_view extension) {
  const JsonObject& source = object_or_empty(message.source);
  return text_field(source, "type") == "extension" &&
         text_field(source, "extensionName") == extension;
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  std::size_t count = 0;
  while (!text.empty()) {
    const bool blank = space_or_control(text.front());
    const std::size_t length = std::max<std::size_t>(utf8::sequence_length(text), 1);
    const bool skipped = blank && (line.empty() || line.back() == ' ');
    if (!skipped) {
      if (count == limit) break;
      line += blank ? " " : text.substr(0, length);
      ++count;
    }
    text.remove_prefix(length);
  }
  const bool cut = text.find_first_not_of(" \t\r\n") != std::string_view::npos;
  if (cut && limit > 0) line = std::string(utf8::prefix(line, limit - 1)) + std::string(kEllipsis);
  while (line.ends_with(' '))
    line.pop_back();
  return line;
}

}  // namespace goondan::shipped
