#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "resource/mcp_reader.h"
#include "resource/readers.h"

namespace goondan {
namespace {

// What the transport itself sends.
constexpr std::array<std::string_view, 7> kOwnHeaders{
    "accept", "connection", "content-length", "content-type", "host", "last-event-id", "origin"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_variable(std::string_view name) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool is_header(std::string_view name) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && (std::isalnum(byte) != 0 || kSigns.find(c) != std::string_view::npos);
  });
}

bool holds_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
  });
}

void check_name(const Place& member, McpValues values, ReadContext& context) {
  const std::string& name = member.key->text;
  const bool good = values == McpValues::Env ? is_variable(name) : is_header(name);
  const std::string small = lower(name);
  if (!good) {
    context.diagnostics.error(member.key_spot(), ErrorCode::ConfigSchemaInvalid,
                              in_backticks(name) + " is not the name of a " +
                                  (values == McpValues::Env ? "variable" : "header"));
  } else if (values == McpValues::Headers &&
             (small.starts_with("mcp-") ||
              std::ranges::find(kOwnHeaders, small) != kOwnHeaders.end())) {
    context.diagnostics.error(member.key_spot(), ErrorCode::ConfigSchemaInvalid,
                              "the header " + in_backticks(name) + " is the protocol's own",
                              "Remove it.");
  }
}

void warn_of_text(const Place& member, std::string_view text, ReadContext& context) {
  const std::string& name = member.key->text;
  if (text.find("${") != std::string_view::npos) {
    context.diagnostics.warning(
        member.spot(), ErrorCode::ConfigSchemaInvalid,
        "`${` inside of a text is not replaced by anything",
        "Write the whole value as `${NAME}` or `{valueFrom: {env: NAME}}`.");
  } else if (names_a_secret(name) && !text.empty()) {
    context.diagnostics.warning(
        member.spot(), ErrorCode::ConfigSchemaInvalid,
        in_backticks(name) + " looks like a secret and stands here in plain",
        "Write `{valueFrom: {env: NAME}}`, and the value into `.env`.");
  }
}

// Numbers and flags are taken as they are written.
std::optional<ValueSource> read_text_value(const Place& member, McpValues values,
                                           ReadContext& context) {
  const std::string& text = member.node->text;
  if (member.node->is_null()) {
    report_wrong_kind(member, "text or a value source", "Write \"\" for an empty text.",
                      context.diagnostics);
    return std::nullopt;
  }
  if (text.starts_with("${") && text.ends_with("}") && is_variable(text.substr(2, text.size() - 3)))
    return ValueSource{.env = text.substr(2, text.size() - 3)};
  const bool bad =
      values == McpValues::Headers ? holds_control(text) : text.find('\0') != std::string::npos;
  if (bad) {
    context.diagnostics.error(member.spot(), ErrorCode::ConfigSchemaInvalid,
                              in_backticks(member.key->text) + " holds a control character");
    return std::nullopt;
  }
  warn_of_text(member, text, context);
  return ValueSource{.value = text};
}

}  // namespace

bool names_a_secret(std::string_view name) {
  const std::string small = lower(name);
  constexpr std::array<std::string_view, 9> kWords{"authorization", "token",   "secret",
                                                   "password",      "passwd",  "api_key",
                                                   "apikey",        "api-key", "cookie"};
  return std::ranges::any_of(
             kWords,
             [&](std::string_view word) { return small.find(word) != std::string::npos; }) ||
         small.ends_with("_key") || small == "key";
}

std::map<std::string, ValueSource> read_mcp_values(const Place& place, McpValues values,
                                                   ReadContext& context) {
  std::map<std::string, ValueSource> sources;
  if (!read_object(place, context.diagnostics)) return sources;
  for (std::size_t i = 0; i < place.node->children.size() / 2; ++i) {
    const Place member = place.member(i);
    check_name(member, values, context);
    std::optional<ValueSource> source = member.node->kind == yaml::NodeKind::Scalar
                                            ? read_text_value(member, values, context)
                                            : read_value_source(member, context);
    if (source) sources.emplace(member.key->text, std::move(*source));
  }
  return sources;
}

}  // namespace goondan
