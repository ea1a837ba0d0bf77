#include "oauth/callback/request.h"

#include <algorithm>
#include <optional>

namespace goondan::oauth {
namespace {

constexpr int kHttpVersionNotSupported = 505;

char lower_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower_letters(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), lower_letter);
  return lower;
}

bool is_visible(char c) {
  return c > 0x20 && c < 0x7f;
}

bool is_name_character(char c) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (lower_letter(c) >= 'a' && lower_letter(c) <= 'z') ||
         kMarks.find(c) != std::string_view::npos;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Cuts the next line off `rest`.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  return line;
}

std::optional<BadRequest> read_request_line(std::string_view line, CallbackRequest& into) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return BadRequest{};
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (method.empty() || !std::ranges::all_of(method, is_name_character)) return BadRequest{};
  if (!target.starts_with('/') || !std::ranges::all_of(target, is_visible)) return BadRequest{};
  if (!version.starts_with("HTTP/")) return BadRequest{};
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return BadRequest{kHttpVersionNotSupported};
  const std::size_t question = target.find('?');
  into.method = method;
  into.path = target.substr(0, question);
  if (question != std::string_view::npos) into.query = target.substr(question + 1);
  return std::nullopt;
}

bool is_harmless(char c) {
  return c == '\t' || static_cast<unsigned char>(c) >= 0x20;
}

// Counts the Host headers; nothing else is of interest.
std::optional<BadRequest> read_header(std::string_view line, CallbackRequest& into, int& hosts) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return BadRequest{};
  const std::string_view name = line.substr(0, colon);
  if (!std::ranges::all_of(name, is_name_character)) return BadRequest{};
  if (!std::ranges::all_of(line, is_harmless)) return BadRequest{};
  if (lower_letters(name) != "host") return std::nullopt;
  into.host = lower_letters(without_blanks(line.substr(colon + 1)));
  ++hosts;
  return std::nullopt;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = lower_letter(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// As forms are decoded: `+` is a space; a `%` without two hexadecimal digits stays.
std::string form_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool two = text[i] == '%' && i + 2 < text.size();
    const int high = two ? digit_value(text[i + 1]) : -1;
    const int low = two ? digit_value(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      decoded.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      decoded.push_back(text[i] == '+' ? ' ' : text[i]);
    }
  }
  return decoded;
}

}  // namespace

std::variant<CallbackRequest, BadRequest> parse_callback_request(std::string_view head) {
  CallbackRequest request;
  if (const auto bad = read_request_line(take_line(head), request)) return *bad;
  int hosts = 0;
  while (!head.empty()) {
    if (const auto bad = read_header(take_line(head), request, hosts)) return *bad;
  }
  if (hosts != 1) return BadRequest{};
  return request;
}

std::variant<CallbackParameters, BadRequest> parse_callback_query(std::string_view query) {
  CallbackParameters parameters;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view one = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    if (one.empty()) continue;
    if (parameters.size() == kMaxCallbackParameters) return BadRequest{};
    const std::size_t equals = one.find('=');
    parameters.emplace_back(
        form_decoded(one.substr(0, equals)),
        equals == std::string_view::npos ? "" : form_decoded(one.substr(equals + 1)));
  }
  return parameters;
}

}  // namespace goondan::oauth
