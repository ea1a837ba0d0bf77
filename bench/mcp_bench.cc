// mcp_bench TOOL ARGUMENTS COMMAND...: the median time of a call of an MCP tool in nanoseconds, in
// the way an agent calls it: executor, host/mcp, client, pipes, and back.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <goondan/executor.h>

#include "host/mcp/mcp_tools.h"

namespace goondan {
namespace {

constexpr int kWarmUp = 3'000;
constexpr int kCalls = 5'000;

Result<int> measure(const std::string& tool, const Json& arguments,
                    std::vector<std::string> command) {
  McpServerResource server{.name = "bench", .command = command.front()};
  server.args.assign(command.begin() + 1, command.end());
  ToolRegistry registry;
  auto servers = GDN_TRY(McpTools::start({.extension = "bench",
                                          .servers = {server},
                                          .bundle_root = ".",
                                          .environment = {{"PATH", "/usr/bin:/bin"}}},
                                         registry));
  GDN_TRY(servers->before_step(Clock::now() + std::chrono::seconds(30), {}));
  const ToolExecutor executor(registry);
  const ToolCatalog catalog(registry);
  const ToolCall call{.id = "1", .name = "bench__" + tool, .input = arguments};
  std::vector<std::chrono::nanoseconds> times;
  for (int i = 0; i < kWarmUp + kCalls; ++i) {
    const auto begin = Clock::now();
    const ToolCallResult result = executor.run(catalog, call);
    if (!result.ok()) return result.error.value_or(Error{.message = "the call failed"});
    if (i >= kWarmUp) times.push_back(Clock::now() - begin);
  }
  std::ranges::nth_element(times, times.begin() + kCalls / 2);
  std::printf("{\"ns\":%lld}\n", static_cast<long long>(times[kCalls / 2].count()));
  return 0;
}

}  // namespace
}  // namespace goondan

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto arguments = goondan::parse_json(argv[2]);
  const auto measured =
      goondan::measure(argv[1], arguments.ok() ? *arguments : goondan::Json(goondan::JsonObject{}),
                       {argv + 3, argv + argc});
  if (!measured.ok()) std::fprintf(stderr, "%s\n", measured.error().message.c_str());
  return measured.ok() ? 0 : 1;
}
