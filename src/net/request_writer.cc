#include "net/request_writer.h"

#include <algorithm>
#include <array>

#include "net/content_coding.h"

namespace goondan::net {
namespace {

constexpr std::string_view kUserAgent = "goondan/" GDN_VERSION;

// Each of these is ours to say, or belongs to one connection only.
constexpr std::array<std::string_view, 11> kOurHeaders = {
    "host",       "content-length", "transfer-encoding",
    "connection", "keep-alive",     "upgrade",
    "te",         "trailer",        "expect",
    "metadata",   "metadata-flavor"};
constexpr std::array<std::string_view, 2> kOurPrefixes = {"proxy-", "x-aws-ec2-metadata-token"};

Error invalid(std::string message, std::string suggestion) {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

bool may_not_be_set(std::string_view name) {
  const std::string lower = to_lower(name);
  return std::ranges::find(kOurHeaders, lower) != kOurHeaders.end() ||
         std::ranges::any_of(
             kOurPrefixes, [&lower](std::string_view prefix) { return lower.starts_with(prefix); });
}

// The name is shown only where it is known to be harmless.
Result<void> check_header(const Header& header) {
  if (!is_token(header.name)) {
    return invalid("a name in 'headers' is empty or has characters that no header name may have",
                   "Use letters, digits and '-' only.");
  }
  if (!is_field_value(header.value)) {
    return invalid("the value of '" + header.name +
                       "' in 'headers' has a line break or another control character",
                   "Remove it; one header is one line.");
  }
  if (may_not_be_set(header.name)) {
    return invalid("'" + header.name + "' in 'headers' may not be set",
                   "Leave it out; what the connection needs is set for you.");
  }
  return {};
}

bool is_undecodable(const Header& header) {
  return same_name(header.name, "accept-encoding") && !can_decode_all(header.value);
}

bool needs_length(const Outgoing& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT" ||
         request.method == "PATCH";
}

void add_line(std::string& head, std::string_view name, std::string_view value) {
  head += name;
  head += ": ";
  head += trimmed(value);
  head += "\r\n";
}

std::size_t head_size(const Outgoing& request) {
  std::size_t size = request.method.size() + request.url.path.size() + request.url.query.size();
  for (const Header& header : request.headers) {
    size += header.name.size() + header.value.size() + 4;
  }
  return size;
}

// `Url::parse` leaves nothing else; this is for one that was put together by hand.
bool is_sendable(const Url& url) {
  const std::string target = url.host + url.target();
  return url.path.starts_with('/') && std::ranges::none_of(target, [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte <= 0x20 || byte >= 0x7f;
         });
}

}  // namespace

Result<void> check_request(const Outgoing& request) {
  if (!is_sendable(request.url)) {
    return Error{.code = ErrorCode::UrlInvalid,
                 .message = "the URL has characters that cannot be sent",
                 .suggestion = "Write them percent-encoded, such as %20 for a space."};
  }
  if (!is_token(request.method) || request.method == "CONNECT" || request.method == "TRACE") {
    return invalid("the method of the request is not one that can be sent",
                   "Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.");
  }
  for (const Header& header : request.headers) {
    GDN_TRY(check_header(header));
  }
  if (head_size(request) > kMaxRequestHeadBytes || request.headers.size() > kMaxRequestHeaders) {
    return invalid("the URL and 'headers' together are too long: at most " +
                       std::to_string(kMaxRequestHeadBytes) + " bytes and " +
                       std::to_string(kMaxRequestHeaders) + " headers can be sent",
                   "Send less, or put it into the body.");
  }
  return {};
}

std::string write_head(const Outgoing& request) {
  constexpr std::size_t kRoomForOurs = 256;
  std::string head;
  head.reserve(head_size(request) + request.url.host.size() + kRoomForOurs);
  head += request.method;
  head += ' ';
  head += request.url.path;
  head += request.url.query;
  head += " HTTP/1.1\r\n";
  add_line(head, "Host", request.url.host_header());
  bool says_encoding = false;
  for (const Header& header : request.headers) {
    if (is_undecodable(header)) continue;
    says_encoding = says_encoding || same_name(header.name, "accept-encoding");
    add_line(head, header.name, header.value);
  }
  if (!find_header(request.headers, "user-agent")) add_line(head, "User-Agent", kUserAgent);
  if (!find_header(request.headers, "accept")) add_line(head, "Accept", "*/*");
  if (!says_encoding) {
    // A part of a compressed body could not be decoded.
    const bool whole = find_header(request.headers, "range") == nullptr;
    add_line(head, "Accept-Encoding", whole ? "gzip" : "identity");
  }
  if (needs_length(request)) {
    add_line(head, "Content-Length", std::to_string(request.body.size()));
  }
  head += "\r\n";
  return head;
}

}  // namespace goondan::net
