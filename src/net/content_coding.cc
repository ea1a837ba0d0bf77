#include "net/content_coding.h"

#include <optional>

#include "net/header.h"

namespace goondan::net {
namespace {

constexpr std::size_t kMaxShownName = 40;

// Takes the first name off a comma-separated list.
std::string_view take_name(std::string_view& list) {
  const std::size_t comma = list.find(',');
  const std::string_view name = trimmed(list.substr(0, comma));
  list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  return name;
}

bool is_none(std::string_view name) {
  return name.empty() || same_name(name, "identity");
}

std::optional<ContentCoding> known_coding(std::string_view name) {
  if (same_name(name, "gzip") || same_name(name, "x-gzip")) return ContentCoding::Gzip;
  if (same_name(name, "deflate")) return ContentCoding::Deflate;
  return std::nullopt;
}

Error unknown_coding(std::string_view name) {
  const std::string shown = is_token(name) && name.size() <= kMaxShownName
                                ? "'" + std::string(name) + "'"
                                : "a coding that has no proper name";
  return {.code = ErrorCode::HttpResponse,
          .message = "the response's body is coded as " + shown +
                     ", which cannot be decoded; only gzip and deflate can",
          .suggestion =
              "Ask another address for the same content; this server does not keep to "
              "the codings it is asked for."};
}

}  // namespace

Result<std::vector<ContentCoding>> content_codings(std::string_view header) {
  std::vector<ContentCoding> codings;
  while (!header.empty()) {
    const std::string_view name = take_name(header);
    if (is_none(name)) continue;
    const std::optional<ContentCoding> coding = known_coding(name);
    if (!coding) return unknown_coding(name);
    if (codings.size() == kMaxContentCodings) {
      return Error{.code = ErrorCode::HttpResponse,
                   .message = "the response's body is coded more than " +
                              std::to_string(kMaxContentCodings) + " times"};
    }
    codings.push_back(*coding);
  }
  return codings;
}

bool can_decode_all(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    std::string_view name = take_name(accept_encoding);
    name = trimmed(name.substr(0, name.find(';')));  // what follows is a weight
    if (!is_none(name) && !known_coding(name)) return false;
  }
  return true;
}

}  // namespace goondan::net
