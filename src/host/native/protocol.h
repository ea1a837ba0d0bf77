// The messages between gdn and a plugin worker, as frames. Pure functions on both directions.
//
// Two sockets. On the first, gdn sends calls and the worker sends everything it has to say: hello,
// then for each call logs, progress, requests and one reply. On the second, gdn sends what must be
// heard while a call runs: cancellations and answers to requests. A frame's id is the call's, for
// requests and their answers the request's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "host/native/call_bridge.h"
#include "host/native/plugin_json.h"
#include "ipc/frame.h"

namespace goondan {

enum class Message : std::uint32_t {
  Hello = 1,     // parts: {abiVersion, exports} or {error}
  Call = 2,      // parts: export, input JSON, context JSON
  Cancel = 3,    // no parts
  Answer = 4,    // parts: status, JSON
  Reply = 5,     // parts: status, JSON
  Log = 6,       // parts: level, text
  Progress = 7,  // parts: done and total as doubles, text
  Request = 8,   // parts: method, JSON
};

// File descriptors of the worker.
inline constexpr int kCallSocket = 3;
inline constexpr int kControlSocket = 4;

// A longer log line or progress text is cut.
inline constexpr std::size_t kMaxLogBytes = std::size_t{64} * 1024;

struct Hello {
  std::uint32_t abi_version = 0;
  std::vector<std::string> exports = {};
};

std::string hello_text(const Hello& hello);
std::string hello_text(const Error& load_error);

// The worker's first words; its load error becomes the error. `E_TOOL_BAD_REPLY` if it is neither.
Result<Hello> parse_hello(const ipc::Frame& frame);

// A reply or an answer. `status_part` must outlive the frame.
std::string status_part(int status);
Result<RawReply> parse_raw_reply(const ipc::Frame& frame);

// What a raw reply means. The outer error (`E_TOOL_BAD_REPLY`) says that it is broken, the inner
// one is the tool's own.
struct ToolReply {
  Result<Json> outcome;
};
Result<ToolReply> parse_tool_reply(const RawReply& reply, JsonLimits limits = kPluginJsonLimits);

struct LogMessage {
  LogLevel level = LogLevel::Info;
  std::string text = {};
};
std::string level_part(int level);
Result<LogMessage> parse_log(const ipc::Frame& frame);

std::string progress_part(double done, double total);
Result<Progress> parse_progress(const ipc::Frame& frame);

}  // namespace goondan
