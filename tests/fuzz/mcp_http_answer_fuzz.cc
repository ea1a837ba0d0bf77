// The body of a server's answer: any bytes, as a document, a stream or a refusal. However they are
// cut, the same messages come out, and the request that waits gets the same answer.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mcp/http_answer.h"

namespace {

using goondan::Json;
using goondan::Result;
using goondan::to_text;

constexpr std::size_t kMaxInput = std::size_t{64} << 10;

// The first byte: which kind of answer it is, and how the rest is cut.
struct Case {
  int status;
  std::string_view type;
  std::size_t piece;
  std::string_view body;
};

struct Outcome {
  std::string messages = {};
  std::string response = {};
  std::string error = {};
  std::string last_id = {};

  bool operator==(const Outcome&) const = default;
};

Case read_case(std::string_view input) {
  const auto first = static_cast<unsigned char>(input.front());
  return {.status = (first & 1) != 0 ? 200 : 400,
          .type = (first & 2) != 0 ? "text/event-stream" : "application/json",
          .piece = std::size_t{1} + (first >> 2U),
          .body = input.substr(1)};
}

Outcome read(const Case& one, std::size_t piece) {
  Outcome outcome;
  goondan::mcp::HttpAnswer answer(
      1, [&outcome](const Json& message) { outcome.messages += to_text(message) + "\n"; });
  answer.start();
  answer.begin(one.status, {{"content-type", std::string(one.type)}});
  Result<void> read;
  for (std::size_t at = 0; at < one.body.size() && read.ok(); at += piece) {
    read = answer.add(one.body.substr(at, piece));
  }
  if (read.ok()) read = answer.finish();
  if (!read.ok()) outcome.error = read.error().message;
  if (answer.response()) outcome.response = to_text(*answer.response());
  outcome.last_id = answer.last_id();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxInput) return 0;
  const Case one = read_case({reinterpret_cast<const char*>(data), size});
  if (read(one, one.piece) != read(one, kMaxInput)) std::abort();
  return 0;
}
