// Any bytes as a stream of events: what is read does not depend on how they were cut, limits hold,
// and texts are valid UTF-8.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "net/sse_reader.h"

namespace {

using namespace goondan;
using namespace goondan::net;

constexpr std::size_t kMaxBytes = 256;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  bool failed = false;
  std::vector<SseEvent> events = {};
  std::string last_id = {};
  std::optional<std::chrono::milliseconds> retry = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(std::string_view text, std::size_t piece) {
  SseReader reader(kMaxBytes);
  Outcome outcome;
  while (!text.empty()) {
    std::string_view input = text.substr(0, piece);
    text.remove_prefix(input.size());
    while (true) {
      Result<std::optional<SseEvent>> event = reader.next(input);
      if (!event.ok()) outcome.failed = true;
      if (!event.ok() || !*event) break;
      outcome.events.push_back(**std::move(event));
    }
    if (outcome.failed) break;
  }
  outcome.last_id = reader.last_id();
  outcome.retry = reader.retry();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Outcome whole = read(text, text.size());
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{17}}) {
    require(read(text, piece) == whole);
  }
  for (const SseEvent& event : whole.events) {
    require(event.data.size() <= 3 * kMaxBytes);  // each ill-formed byte becomes three
    require(utf8::valid(event.data) && utf8::valid(event.type) && utf8::valid(event.last_id));
  }
  return 0;
}
