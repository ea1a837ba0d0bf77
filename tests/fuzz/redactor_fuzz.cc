// Input: a byte for the size of pieces, secrets, one a line, an empty line, and a text. In the text
// `\x01` to `\x05` stand for the first secret as it is, in base64, hex, percent-encoded and as
// JSON. Whatever they are, no known form survives, redacting twice is the same as once, pieces give
// the same as the whole, and valid UTF-8 stays valid; the same of both halves of a cut text.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "base/redactor.h"
#include "base/redactor_stream.h"
#include "base/secret_forms.h"
#include "base/utf8.h"

namespace {

using namespace goondan;  // NOLINT(google-build-using-namespace): one small program

void check(bool holds) {
  if (!holds) std::abort();
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

std::string hex(std::string_view text) {
  std::string out;
  for (const char c : percent_encoded(text))
    if (c != '%') out += c;
  return out;
}

std::string json_literal(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out.substr(1, out.size() - 2);
}

std::string expanded(std::string_view text, const std::string& secret) {
  std::string out;
  for (const char c : text) {
    if (c == '\x01')
      out += secret;
    else if (c == '\x02')
      out += base64_encode(secret);
    else if (c == '\x03')
      out += hex(secret);
    else if (c == '\x04')
      out += percent_encoded(secret);
    else if (c == '\x05')
      out += json_literal(secret);
    else
      out += c;
  }
  return out;
}

// Between its masks, the text holds no form of a secret.
void check_nothing_left(std::string_view text, const std::vector<std::string>& secrets) {
  std::vector<std::string> forms;
  for (const std::string& secret : secrets)
    std::ranges::move(secret_forms(secret), std::back_inserter(forms));
  while (true) {
    const std::size_t mask = text.find(kRedacted);
    const std::string_view part = text.substr(0, mask);
    for (const std::string& form : forms)
      check(part.find(form) == part.npos);
    if (mask == text.npos) return;
    text.remove_prefix(mask + kRedacted.size());
  }
}

std::string in_pieces(const Redactor& redactor, std::string_view text, std::size_t size) {
  StreamRedactor stream(redactor);
  std::string out;
  for (; !text.empty(); text.remove_prefix(std::min(size, text.size())))
    out += stream.push(text.substr(0, size));
  return out + stream.finish();
}

std::vector<std::string> take_secrets(std::string_view& input) {
  constexpr std::size_t kMost = 8;
  constexpr std::size_t kLongest = 256;
  std::vector<std::string> secrets;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(std::min(input.size(), end + 1));
    if (line.empty()) break;
    if (secrets.size() < kMost && line.size() <= kLongest) secrets.emplace_back(line);
  }
  return secrets;
}

void check_text(const Redactor& redactor, const std::string& text, std::size_t piece) {
  const std::string once = redactor.redact(text);
  check(redactor.redact(once) == once);
  check(redactor.finds_in(text) == (once != text));
  check(!redactor.finds_in(once));
  if (utf8::valid(text)) check(utf8::valid(once));
  check(in_pieces(redactor, text, piece) == once);
}

// Wherever a text is cut, neither half shows the part of a secret that the cut went through.
void check_cut(const Redactor& redactor, std::string_view text, std::size_t at,
               const std::vector<std::string>& secrets) {
  const std::string first = redactor.redact_cut(text.substr(0, at), CutSide::End);
  const std::string last = redactor.redact_cut(text.substr(at), CutSide::Begin);
  for (const std::string* part : {&first, &last}) {
    check(redactor.redact(*part) == *part);
    if (utf8::valid(text) && utf8::valid(text.substr(at))) check(utf8::valid(*part));
    check_nothing_left(*part, secrets);
  }
  check(redactor.redact_cut(first, CutSide::End) == first);
  check(redactor.redact_cut(last, CutSide::Begin) == last);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  const std::size_t piece = 1 + static_cast<unsigned char>(input[0]) % 64;
  input.remove_prefix(1);
  const std::vector<std::string> secrets = take_secrets(input);
  Redactor redactor;
  for (const std::string& secret : secrets)
    redactor.add_secret(secret);
  const std::string text = expanded(input, secrets.empty() ? "" : secrets[0]);
  check_text(redactor, text, piece);
  check_nothing_left(redactor.redact(text), secrets);
  check_cut(redactor, text, text.size() * piece / 65, secrets);
  Json value = JsonArray{text, JsonObject{{text, text}}};
  redactor.redact(value);
  check(value.at(0).as_string() == redactor.redact(text));
  return 0;
}
