// Any bytes as a stream of messages: what is read does not depend on how they were cut, and what
// was read is read again from what it is written as.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "ipc/message.h"

namespace {

using namespace goondan;
using namespace goondan::ipc;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  bool failed = false;
  std::vector<Message> messages = {};
  std::string rest = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(std::string_view bytes, std::size_t piece) {
  MessageDecoder decoder;
  Outcome outcome;
  while (!bytes.empty() && !outcome.failed) {
    decoder.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    while (true) {
      Result<std::optional<Message>> message = decoder.next();
      outcome.failed = !message.ok();
      if (!message.ok() || !*message) break;
      outcome.messages.push_back(**std::move(message));
    }
  }
  if (!outcome.failed) outcome.rest = decoder.rest();
  return outcome;
}

void write_again(const Message& message, std::size_t came) {
  const Result<std::string> written = encode_message(message);
  if (!written.ok()) {  // escapes may make it longer than it came
    require(written.error().code == ErrorCode::Limit && came > kMaxMessageBytes / 6);
    return;
  }
  const Outcome again = read(*written, written->size());
  require(!again.failed && again.messages.size() == 1 && again.rest.empty());
  const std::string more = encode_message(again.messages.front()).value();
  require(read(more, more.size()) == again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome whole = read(bytes, std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{64}})
    require(read(bytes, piece) == whole);
  for (const Message& message : whole.messages)
    write_again(message, size);
  const Result<Message> text = decode_message(bytes);
  require(text.ok() || text.error().code == ErrorCode::Ipc);
  if (text.ok()) {
    require(utf8::valid(text->from) && utf8::valid(text->to));
    write_again(*text, size);
  }
  return 0;
}
