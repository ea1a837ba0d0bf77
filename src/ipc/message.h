// What the orchestrator, its agents and the command line say to each other: JSON messages, each
// behind its length. `docs/protocol.md` lists what their payloads hold.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::ipc {

// The text of one message; whoever announces more is cut off.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 20;
// How deep it may be nested: a tool's output (`JsonLimits`) and what a message puts around it.
inline constexpr std::size_t kMaxMessageDepth = 96;
inline constexpr std::size_t kMessagePrefixBytes = 4;  // the length, least significant byte first

enum class MessageType { Delegate, DelegateResult, Event, Shutdown, ShutdownAck };

std::string_view message_type_name(MessageType type);  // as on the wire, e.g. "delegate_result"

// `{type, from, to, payload, correlationId?}`. A value.
struct Message {
  MessageType type = MessageType::Event;
  std::string from = {};
  std::string to = {};
  Json payload = nullptr;
  std::string correlation_id = {};  // empty: none

  friend bool operator==(const Message&, const Message&) = default;
};

// Length and text, ready to send. Fails with `E_LIMIT` if the other side would refuse it: larger
// than `kMaxMessageBytes`, or nested deeper than `kMaxMessageDepth`.
Result<std::string> encode_message(const Message& message);

// Reads the text of one message, without its length. Fails with `E_IPC`: not JSON, an unknown type,
// a field of the wrong kind. Fields it does not know are ignored.
Result<Message> decode_message(std::string_view text);

// Takes messages off a stream of bytes, however it was cut. Thread-compatible. Memory follows what
// has come, not what a length announces. An error means that the other side does not speak this
// format: nothing after it can be read.
class MessageDecoder {
 public:
  void feed(std::string_view bytes);
  // The next complete message; none: more bytes are needed.
  Result<std::optional<Message>> next();
  // What has come of a message that is not complete.
  [[nodiscard]] std::string_view rest() const;

 private:
  std::string buffer_;
  std::size_t begin_ = 0;
};

}  // namespace goondan::ipc
