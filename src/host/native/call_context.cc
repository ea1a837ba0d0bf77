#include "host/native/call_context.h"

namespace goondan {
namespace {

// A context of common size, without growing.
constexpr std::size_t kUsualBytes = 256;

// `key` is what stands before the value: `,"name":`.
void append_field(std::string& out, std::string_view key, std::string_view text) {
  out += key;
  append_quoted(out, text);
}

std::chrono::milliseconds time_left(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace

std::string context_text(const ToolContext& context) {
  std::string out;
  out.reserve(kUsualBytes);
  append_field(out, R"({"agentName":)", context.agent_name());
  append_field(out, R"(,"instanceKey":)", context.instance_key());
  append_field(out, R"(,"turnId":)", context.turn_id());
  append_field(out, R"(,"traceId":)", context.trace_id());
  append_field(out, R"(,"toolCallId":)", context.tool_call_id());
  append_field(out, R"(,"workdir":)", context.workdir());
  out += R"(,"message":)";
  append_text(out, context.message());
  if (context.deadline() != Deadline::max()) {
    out += R"(,"timeoutMs":)";
    out += std::to_string(time_left(context.deadline()).count());
  }
  out += '}';
  return out;
}

std::string input_text(const JsonObject& input) {
  std::string out = "{";
  for (const auto& [key, value] : input) {
    if (out.size() > 1) out += ',';
    append_quoted(out, key);
    out += ':';
    append_text(out, value);
  }
  out += '}';
  return out;
}

}  // namespace goondan
