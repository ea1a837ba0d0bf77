// Any bytes as what a child says: what is read does not depend on how they were cut, and what has
// no fault is bounded and valid.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "host/peer/child_output.h"
#include "host/peer/peer_frames.h"

namespace {

using namespace goondan;
using namespace goondan::peer;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  bool failed = false;
  std::vector<std::string> texts = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(std::string_view bytes, std::size_t piece) {
  FrameDecoder decoder;
  Outcome outcome;
  while (!bytes.empty() && !outcome.failed) {
    decoder.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (true) {
      const Result<std::optional<std::string_view>> text = decoder.next();
      outcome.failed = !text.ok();
      if (!text.ok() || !*text) break;
      outcome.texts.emplace_back(**text);
    }
  }
  return outcome;
}

void parse(std::string_view text) {
  const Result<Incoming> incoming = parse_incoming(text);
  if (!incoming.ok()) {
    require(incoming.error().code == ErrorCode::ToolBadReply);
    return;
  }
  require(incoming->bytes == text.size());
  require(utf8::valid(incoming->method));
  // It can be answered, and what is written can be read.
  const std::string frame =
      answer_frame(incoming->id, incoming->error ? Result<Json>(*incoming->error)
                                                 : Result<Json>(incoming->value));
  const Outcome again = read(frame, frame.size());
  require(!again.failed && again.texts.size() == 1);
  require(parse_json(again.texts.front(), {.max_bytes = kMaxFrameBytes, .max_depth = 128}).ok());
}

void print(std::string_view bytes) {
  std::size_t lines = 0;
  ChildOutput output([&lines](const std::string& line) {
    ++lines;
    require(utf8::valid(line) && line.size() <= 3 * kMaxLineBytes + 64);
  });
  output.feed(bytes);
  output.finish();
  require(utf8::valid(output.tail()) && output.tail().size() <= kTailBytes + 8);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome whole = read(bytes, std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{64}})
    require(read(bytes, piece) == whole);
  for (const std::string& text : whole.texts)
    parse(text);
  parse(bytes);
  print(bytes);
  return 0;
}
