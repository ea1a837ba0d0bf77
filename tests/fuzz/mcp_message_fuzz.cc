// What an MCP server may send: the lines of its standard output, sorted as the transport does it;
// and the same messages as answers to a whole handshake, a list of tools and a call.
#include <cstdint>

#include "mcp/exchange.h"
#include "mcp/handshake.h"
#include "mcp/input_requests.h"
#include "mcp/line_buffer.h"
#include "mcp/message_sorter.h"
#include "mcp/output_checks.h"
#include "mcp/server_messages.h"
#include "mcp/stderr_lines.h"
#include "mcp/tool_list.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kMaxInput = 100'000;

// Answers each request with the next line.
class Script final : public Transport {
 public:
  explicit Script(std::string_view text) : rest_(text) {}

  Result<Json> request(const Outgoing&) override {
    while (!rest_.empty()) {
      const std::string_view line = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
      Result<Json> message = parse_json(line);
      if (message.ok()) return message;
    }
    alive_ = false;
    return Error{.code = ErrorCode::McpServer, .message = "no more lines"};
  }
  Result<void> send(const Json& message, Deadline) override {
    static_cast<void>(to_text(message));
    return {};
  }
  void set_era(Era, std::string) override {}
  [[nodiscard]] bool alive() const override { return alive_; }
  void listen() override {}

 private:
  std::string_view rest_;
  bool alive_ = true;
};

void sort_lines(std::string_view bytes, ServerLog& log) {
  PendingRequests pending;
  for (std::int64_t id = 1; id <= 4; ++id)
    static_cast<void>(pending.add(id));
  const Services services{.roots = {"/tmp"}};
  const std::function<void()> changed = [] {};
  Script script("");
  Exchange exchange(script, "fuzz");
  exchange.set_era(Era::Legacy, "2025-11-25", {});
  // Answers with a thread of its own, until it goes: before what it answers through.
  ServerMessages messages({.services = services, .log = log, .on_tools_changed = changed});
  messages.attach(&exchange);
  const OnMessage on_message = [&messages](const Json& message) { messages.take(message); };
  MessageSorter sorter(
      {.server = "fuzz", .pending = pending, .log = log, .on_message = on_message});
  LineBuffer lines(kMaxInput / 2);
  lines.feed(bytes.substr(0, bytes.size() / 2));
  for (int part = 0; part < 2; ++part) {
    while (const auto line = lines.next())
      if (!sorter.take(*line).ok()) return;
    if (part == 0) lines.feed(bytes.substr(bytes.size() / 2));
  }
  StderrLines words(log);
  words.feed(bytes);
}

void talk(std::string_view bytes, ServerLog& log) {
  Script script(bytes);
  Exchange exchange(script, "fuzz");
  const Services services{.roots = {"/tmp"}};
  if (!shake_hands(exchange, {.services = services}).ok()) return;
  const AskPage ask = [&exchange](JsonObject params) -> Result<JsonObject> {
    Exchange::Answer answer = GDN_TRY(exchange.request("tools/list", std::move(params), {}));
    return std::move(answer.result);
  };
  const Result<ToolList> list = read_tools(ask, MirrorArguments::Yes);
  const Result<Exchange::Answer> answer = exchange.request("tools/call", {}, {});
  if (!answer.ok()) return;
  static_cast<void>(params_with_inputs(services, {}, answer->result));
  OutputChecks checks(log);
  if (list.ok() && !list->tools.empty())
    static_cast<void>(checks.check(list->tools.front(), answer->result));
}

}  // namespace
}  // namespace goondan::mcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > goondan::mcp::kMaxInput) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  goondan::mcp::ServerLog log([](goondan::LogLevel, std::string_view) {});
  goondan::mcp::sort_lines(bytes, log);
  goondan::mcp::talk(bytes, log);
  return 0;
}
