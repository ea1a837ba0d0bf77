// The bytes of `docs/extension-protocol.md`: writing our messages, reading those of the other side,
// which may send anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::peer {

// The text of one message; whoever announces more is cut off.
inline constexpr std::size_t kMaxFrameBytes = std::size_t{64} << 20;
// How deep it may be nested: what a handler returns (`JsonLimits`) and what is around it.
inline constexpr std::size_t kMaxFrameDepth = 96;
inline constexpr std::size_t kPrefixBytes = 4;  // the length, least significant byte first
inline constexpr std::int64_t kProtocolVersion = 1;

// Closes the object that `frame` holds behind `kPrefixBytes` bytes, and writes its length there.
std::string end_frame(std::string frame);

// Ready to send. Fails with `E_LIMIT` if the text would be larger than `kMaxFrameBytes`.
Result<std::string> call_frame(std::uint64_t id, std::string_view method, const Json& params);
std::string cancel_frame(std::uint64_t id);
// An answer that would be too large becomes an error that says so.
std::string answer_frame(std::uint64_t request, const Result<Json>& answer);

// What the other side says. A value.
struct Incoming {
  enum class Type { Hello, Reply, Request, Notify };

  Type type = Type::Notify;
  std::uint64_t id = 0;                    // of our call (reply), of its request
  std::optional<std::uint64_t> call = {};  // of ours that it belongs to; none: to no call
  std::string method = {};
  Json value = nullptr;  // the reply, the parameters, or all of a hello
  // A reply that failed; or a request that cannot be read, to be answered with this.
  std::optional<Error> error = {};
  std::size_t bytes = 0;  // of its text
};

// The line of the log that stands for messages which came faster than they could be heard.
Incoming dropped_note(std::size_t count);

// Reads the text of one message. Where the text is no JSON that we take (too deep, half a
// character), but begins as replies and requests do, only that call or request fails, with
// `E_TOOL_BAD_REPLY`. Everything else that is no message is this function's own failure with that
// code.
Result<Incoming> parse_incoming(std::string_view text);

// Takes the texts of messages off a stream of bytes, however it was cut. Thread-compatible. Memory
// follows what has come, not what a length announces. After an error nothing more can be read.
class FrameDecoder {
 public:
  void feed(std::string_view bytes);
  // The next whole text, valid until the next call of anything here; none: more bytes are needed.
  Result<std::optional<std::string_view>> next();

 private:
  std::string buffer_;
  std::size_t begin_ = 0;
};

}  // namespace goondan::peer
