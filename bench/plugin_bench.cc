// What a call of a plugin costs: native, in a worker process and in this one, and a script.
#include <cstdlib>
#include <filesystem>

#include <benchmark/benchmark.h>

#include <goondan/goondan.h>

namespace goondan {
namespace {

void plugin_call(benchmark::State& state, const char* tool) {
  const Result<Bundle> bundle = Bundle::load(GDN_BENCH_DIR "/bundle");
  ToolRegistry registry;
  const Result<void> added = bundle.ok() ? add_bundle_tools(registry, *bundle, {.only = tool})
                                         : Result<void>(bundle.error());
  if (!added.ok()) {
    state.SkipWithError(added.error().message.c_str());
    return;
  }
  const ToolExecutor executor(registry);
  const ToolCatalog catalog(registry);
  const ToolCall call{.id = "1", .name = std::string(tool) + "__echo", .input = {{"text", "hi"}}};
  for (auto _ : state) {
    if (!executor.run(catalog, call).ok()) state.SkipWithError("the call failed");
  }
}

void plugin_worker(benchmark::State& state) {
  plugin_call(state, "echo-worker");
}
BENCHMARK(plugin_worker)->UseRealTime();

void plugin_in_process(benchmark::State& state) {
  plugin_call(state, "echo-in-process");
}
BENCHMARK(plugin_in_process)->UseRealTime();

// The runtimes are those that the tests have installed.
void script_call(benchmark::State& state, const char* runtime) {
  const std::string program = std::string(GDN_NPM_DIR "/bin/") + runtime;
  if (!std::filesystem::exists(program)) {
    state.SkipWithError("the runtime is not installed");
    return;
  }
  ::setenv("GOONDAN_SCRIPT_RUNTIME", program.c_str(), 1);
  plugin_call(state, "echo-script");
}
BENCHMARK_CAPTURE(script_call, bun, "bun")->UseRealTime()->MinWarmUpTime(1);
BENCHMARK_CAPTURE(script_call, node, "node")->UseRealTime()->MinWarmUpTime(1);

}  // namespace
}  // namespace goondan
