#include "builtin/http_fetch/answer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"

namespace goondan::builtin::http_fetch {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr std::array<std::pair<int, std::string_view>, 62> kPhrases{{
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Payload Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {418, "I'm a Teapot"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Entity"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
}};

// How many bytes a sequence has that begins with `lead`; 0 if none begins with it.
std::size_t announced_length(unsigned char lead) {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

std::string_view without_split_character(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0U) == 0x80U) continue;  // not the first byte of its character
    return announced_length(byte) > back ? text.substr(0, text.size() - back) : text;
  }
  return text;
}

}  // namespace

std::string body_text(const net::Response& response, const Redactor& redactor) {
  std::string_view bytes = response.body;
  if (response.truncated) bytes = without_split_character(bytes);
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  std::string text = utf8::repaired(bytes);
  return response.truncated ? redactor.redact_cut(text, CutSide::End) : text;
}

JsonObject header_object(const net::Response& response) {
  JsonObject object;
  for (const net::Header& header : response.headers) {
    if (!object.contains(header.name))
      object.emplace(header.name, utf8::repaired(response.header(header.name)));
  }
  return object;
}

std::string status_text(const net::Response& response) {
  if (!response.reason.empty()) return utf8::repaired(response.reason);
  const auto* phrase =
      std::ranges::find(kPhrases, response.status, &std::pair<int, std::string_view>::first);
  return phrase == kPhrases.end() ? std::string() : std::string(phrase->second);
}

}  // namespace goondan::builtin::http_fetch
