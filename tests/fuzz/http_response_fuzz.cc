// Any bytes as a response: what is read does not depend on how they were cut, a body never exceeds
// its cap, and nothing crashes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "net/body_decoder.h"
#include "net/response_reader.h"

namespace {

using namespace goondan;
using namespace goondan::net;

constexpr std::size_t kCap = 1 << 16;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  std::string problem = {};
  ResponseHead head = {};
  std::string body = {};
  bool ended = false;
  bool keeps_alive = false;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Sizes that look random and are the same for the same seed.
class Sizes {
 public:
  explicit Sizes(std::uint32_t seed) : state_(seed | 1) {}

  std::size_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % 7 == 0 ? state_ % 4096 + 1 : state_ % 16 + 1;
  }

 private:
  std::uint32_t state_;
};

class Reading {
 public:
  explicit Reading(ResponseReader::BodyRule rule) : reader_(rule) {}

  // Whether there is more to read.
  Result<bool> feed(std::string_view input) {
    while (true) {
      const ResponseReader::Part part = GDN_TRY(reader_.next(input));
      if (part.kind == ResponseReader::Kind::NeedMore) return true;
      if (part.kind == ResponseReader::Kind::Head) begin();
      if (part.kind == ResponseReader::Kind::Body && !GDN_TRY(add(part.bytes))) return false;
      if (part.kind == ResponseReader::Kind::End) return finish();
    }
  }

  Result<bool> end() {
    GDN_TRY(reader_.end_of_input());
    return finish();
  }

  Outcome outcome;

 private:
  void begin() {
    outcome.head = reader_.head();
    decoder_.emplace(joined_values(outcome.head.headers, "content-encoding"));
  }

  Result<bool> add(std::string_view bytes) {
    while (true) {
      const std::string_view piece = GDN_TRY(decoder_->decode(bytes));
      if (piece.empty()) return true;
      outcome.body += piece.substr(0, kCap - outcome.body.size());
      if (outcome.body.size() == kCap) return false;
    }
  }

  Result<bool> finish() {
    GDN_TRY(decoder_->finish());
    outcome.ended = true;
    outcome.keeps_alive = reader_.keeps_alive();
    return false;
  }

  ResponseReader reader_;
  std::optional<BodyDecoder> decoder_;
};

Outcome read(std::string_view text, ResponseReader::BodyRule rule, std::optional<Sizes> sizes) {
  Reading reading(rule);
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, sizes ? sizes->next() : text.size());
    text.remove_prefix(piece.size());
    const Result<bool> more = reading.feed(piece);
    if (!more.ok()) return {.problem = more.error().message};
    if (!*more) return reading.outcome;
  }
  const Result<bool> end = reading.end();
  if (!end.ok()) return {.problem = end.error().message};
  return reading.outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto seed = static_cast<std::uint32_t>(size * 2654435761U + (size > 0 ? data[0] : 0));
  for (const auto rule : {ResponseReader::BodyRule::ByHead, ResponseReader::BodyRule::Never}) {
    const Outcome whole = read(text, rule, std::nullopt);
    require(whole == read(text, rule, Sizes(seed)));
    require(whole == read(text, rule, Sizes(seed + 2)));
    require(whole.body.size() <= kCap);
    require(whole.problem.empty() || !whole.ended);
  }
  return 0;
}
