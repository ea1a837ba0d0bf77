// The worker's side of `docs/extension-protocol.md`: its messages to the runtime, and reading the
// runtime's. JSON passes through unread: a conversation would be parsed twice otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "host/native/call_bridge.h"

namespace goondan {

// Ready to send.
std::string hello_frame();
std::string reply_frame(std::uint64_t call, const RawReply& reply);
std::string request_frame(std::uint64_t request, std::optional<std::uint64_t> call,
                          std::string_view method, std::string_view params_json);
std::string notify_frame(std::optional<std::uint64_t> call, std::string_view method,
                         std::string_view params_json);

// What the runtime says. Borrows the text it was read from.
struct RuntimeMessage {
  enum class Type { Call, Cancel, Answer };

  Type type = Type::Call;
  std::uint64_t id = 0;
  std::string_view method = {};  // of a call
  int status = GDN_REPLY_OK;     // of an answer
  std::string_view json = {};    // a call: all of it; an answer: what is behind `ok` or `error`
};

// Reads what `call_frame`, `cancel_frame` and `answer_frame` of `peer_frames.h` write, and nothing
// else: the runtime and its workers are one program. `E_IPC` for anything else.
Result<RuntimeMessage> read_runtime_message(std::string_view text);

}  // namespace goondan
