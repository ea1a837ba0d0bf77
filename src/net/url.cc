#include "net/url.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "net/url_encoding.h"
#include "net/url_host.h"

namespace goondan::net {
namespace {

// Servers refuse longer ones.
constexpr std::size_t kMaxUrlBytes = 16'384;
constexpr std::size_t kMaxShownCodePoints = 200;

constexpr std::string_view kWholeUrl =
    "Write the whole URL with its scheme, such as https://example.com/path.";
constexpr std::string_view kCredentials = "***";

bool is_letter(char c) {
  return lower_ascii(c) >= 'a' && lower_ascii(c) <= 'z';
}

bool is_scheme_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

// The scheme that `text` begins with, without its colon; empty if it begins with none.
std::string_view scheme_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_letter(text[0])) return {};
  const std::string_view scheme = text.substr(0, colon);
  return std::ranges::all_of(scheme, is_scheme_character) ? scheme : std::string_view();
}

// What of a refused text may be shown: nothing that could be a password, and no query.
std::string shown(std::string_view text) {
  const std::size_t colon = text.find(':');
  std::size_t begin = colon == std::string_view::npos ? 0 : colon + 1;
  begin = std::min(text.find_first_not_of("/\\", begin), text.size());
  const std::string_view head = text.substr(0, text.find_first_of("?#"));
  const std::size_t at = head.rfind('@');
  std::string out;
  if (at != std::string_view::npos) {
    out = at < begin ? std::string(kCredentials)
                     : std::string(head.substr(0, begin)).append(kCredentials);
    out.append(head.substr(at));
  } else {
    // A password may hold a `?` or `#`, which would end the host before the `@`.
    const bool later = text.find('@') != std::string_view::npos && begin < head.size();
    out = head.substr(0, later ? head.find(':', begin) : std::string_view::npos);
  }
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return std::string(utf8::prefix(utf8::repaired(out), kMaxShownCodePoints));
}

Error invalid(std::string_view text, std::string_view problem, std::string_view suggestion = {}) {
  std::string message = "Invalid URL: " + shown(text);
  if (!problem.empty()) message.append(" (").append(problem).append(")");
  return {.code = ErrorCode::UrlInvalid,
          .message = std::move(message),
          .suggestion = std::string(suggestion)};
}

Result<void> check_characters(std::string_view text) {
  if (text.size() > kMaxUrlBytes) return invalid(text, "longer than 16384 bytes");
  if (std::ranges::any_of(text,
                          [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    return invalid(text, "it holds a control character, such as a tab or a line break");
  if (text.find('\\') != std::string_view::npos)
    return invalid(text, "it holds a backslash", "Write / between parts, and %5C for a backslash.");
  if (text.starts_with(' ') || text.ends_with(' '))
    return invalid(text, "it begins or ends with a space");
  return {};
}

Result<Scheme> read_scheme(std::string_view text) {
  std::string scheme(scheme_of(text));
  if (scheme.empty()) return invalid(text, {}, kWholeUrl);
  std::ranges::transform(scheme, scheme.begin(), lower_ascii);
  if (scheme == "http") return Scheme::Http;
  if (scheme == "https") return Scheme::Https;
  return Error{.code = ErrorCode::UrlInvalid,
               .message = "Unsupported protocol '" +
                          std::string(utf8::prefix(scheme, kMaxShownCodePoints)) +
                          ":'. Only http: and https: are allowed.",
               .suggestion = std::string(kWholeUrl)};
}

std::uint16_t default_port(Scheme scheme) {
  return scheme == Scheme::Http ? 80 : 443;
}

std::string scheme_text(Scheme scheme) {
  return scheme == Scheme::Http ? "http://" : "https://";
}

// Where the host ends and the port, with its colon, begins.
std::size_t end_of_host(std::string_view authority) {
  if (!authority.starts_with('[')) return std::min(authority.find(':'), authority.size());
  const std::size_t bracket = authority.find(']');
  return bracket == std::string_view::npos ? bracket : bracket + 1;
}

Result<void> read_authority(std::string_view text, std::string_view authority, Url& url) {
  if (authority.find('@') != std::string_view::npos)
    return invalid(text, "it holds a user name or password",
                   "Leave out what stands before the @; send credentials in a header.");
  const std::size_t end = end_of_host(authority);
  if (end == std::string_view::npos) return invalid(text, "the bracket of the host is not closed");
  const std::string_view host = authority.substr(0, end);
  std::string_view port = authority.substr(end);
  if (host.empty() && port.starts_with("::"))
    return invalid(text, "an IPv6 address stands in brackets", "Write http://[::1]/.");
  HostReading reading = read_host(host);
  if (!reading.ok()) return invalid(text, reading.problem);
  if (!port.empty() && port[0] != ':') return invalid(text, "after the host comes neither : nor /");
  if (!port.empty()) port.remove_prefix(1);
  const std::optional<std::uint16_t> number =
      port.empty() ? default_port(url.scheme) : read_port(port);
  if (!number) return invalid(text, "the port must be a number from 1 to 65535");
  url.host = std::move(reading.host);
  url.port = *number;
  return {};
}

// `rest` is all that follows the authority.
void read_rest(std::string_view rest, Url& url) {
  const std::size_t hash = rest.find('#');
  if (hash != std::string_view::npos) {
    url.fragment = "#" + percent_encoded(rest.substr(hash + 1), UrlPart::Fragment);
    rest = rest.substr(0, hash);
  }
  const std::size_t mark = rest.find('?');
  if (mark != std::string_view::npos) {
    url.query = "?" + percent_encoded(rest.substr(mark + 1), UrlPart::Query);
    rest = rest.substr(0, mark);
  }
  const std::string path = percent_encoded(rest, UrlPart::Path);
  url.path = path.empty() ? "/" : without_dot_segments(path);
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  GDN_TRY(check_characters(text));
  Url url;
  url.scheme = GDN_TRY(read_scheme(text));
  const std::string_view rest = text.substr(text.find(':') + 1);
  if (!rest.starts_with("//")) return invalid(text, "after the scheme comes //", kWholeUrl);
  const std::size_t end = std::min(rest.find_first_of("/?#", 2), rest.size());
  GDN_TRY(read_authority(text, rest.substr(2, end - 2), url));
  read_rest(rest.substr(end), url);
  return url;
}

Result<Url> Url::resolve(std::string_view reference) const {
  GDN_TRY(check_characters(reference));
  if (!scheme_of(reference).empty()) return parse(reference);
  if (reference.starts_with("//")) return parse(scheme_text(scheme).append(reference.substr(2)));
  std::string start = scheme_text(scheme) + host_header();
  if (reference.starts_with('/')) return parse(start.append(reference));
  if (reference.empty() || reference.starts_with('#'))
    return parse(start.append(target()).append(reference));
  if (reference.starts_with('?')) return parse(start.append(path).append(reference));
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  return parse(start.append(folder).append(reference));
}

std::string Url::text() const {
  return safe_text() + query + fragment;
}

std::string Url::origin() const {
  const std::string text = scheme_text(scheme) + host_header();
  return port == default_port(scheme) ? text + ":" + std::to_string(port) : text;
}

std::string Url::host_header() const {
  const bool v6 = host.find(':') != std::string::npos;
  std::string text = v6 ? "[" + host + "]" : host;
  if (port != default_port(scheme)) text += ":" + std::to_string(port);
  return text;
}

std::string Url::safe_text() const {
  return scheme_text(scheme) + host_header() + path;
}

}  // namespace goondan::net
