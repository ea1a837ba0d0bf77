// What a call costs inside the process: executor, pipeline, catalog, schema.
#include <benchmark/benchmark.h>

#include <goondan/executor.h>

#include "schema/schema.h"

namespace goondan {
namespace {

const Json kSmallSchema = {
    {"type", "object"},
    {"properties", {{"command", {{"type", "string"}}}, {"timeoutMs", {{"type", "number"}}}}},
    {"required", {"command"}},
    {"additionalProperties", false}};

Json ten_field_schema() {
  JsonObject properties;
  for (int i = 0; i < 4; ++i) {
    properties["text" + std::to_string(i)] = {{"type", "string"}, {"maxLength", 200}};
  }
  for (int i = 0; i < 3; ++i) {
    properties["number" + std::to_string(i)] = {{"type", "number"}, {"minimum", 0}};
  }
  properties["mode"] = {{"type", "string"}, {"enum", {"fast", "slow", "exact"}}};
  properties["flag"] = {{"type", "boolean"}};
  properties["tags"] = {{"type", "array"}, {"items", {{"type", "string"}}}};
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", {"text0", "number0", "mode"}},
          {"additionalProperties", false}};
}

const Json kTenFields = {{"text0", "a"}, {"text1", "bb"},     {"text2", "ccc"}, {"text3", "dddd"},
                         {"number0", 1}, {"number1", 2.5},    {"number2", 3},   {"mode", "slow"},
                         {"flag", true}, {"tags", {"x", "y"}}};

void fill(ToolRegistry& registry, int count, HandlerThread thread) {
  for (int i = 0; i < count; ++i) {
    const auto added = registry.add(
        {.item = {.name = "tool" + std::to_string(i) + "__run",
                  .description = "does it",
                  .parameters = kSmallSchema,
                  .source = {.name = "bench"}},
         .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(1)); },
         .thread = thread});
    if (!added.ok()) std::abort();
  }
}

ToolCall call_of(int count) {
  return {.id = "call_1",
          .name = "tool" + std::to_string(count / 2) + "__run",
          .input = {{"command", "ls -la"}, {"timeoutMs", 1000}}};
}

void executor_call(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  ToolRegistry registry;
  fill(registry, count, HandlerThread::Caller);
  const ToolExecutor executor(registry);
  const ToolCatalog catalog(registry);
  const ToolCall call = call_of(count);
  for (auto _ : state)
    benchmark::DoNotOptimize(executor.run(catalog, call));
}
BENCHMARK(executor_call)->Arg(10)->Arg(1000);

void executor_call_own_thread(benchmark::State& state) {
  ToolRegistry registry;
  fill(registry, 10, HandlerThread::Own);
  const ToolExecutor executor(registry);
  const ToolCatalog catalog(registry);
  const ToolCall call = call_of(10);
  for (auto _ : state)
    benchmark::DoNotOptimize(executor.run(catalog, call));
}
BENCHMARK(executor_call_own_thread)->UseRealTime();

void executor_ten_middlewares(benchmark::State& state) {
  ToolRegistry registry;
  fill(registry, 10, HandlerThread::Caller);
  auto pipeline = std::make_shared<ToolCallPipeline>();
  for (int i = 0; i < 10; ++i) {
    pipeline->add("layer" + std::to_string(i),
                  [](ToolCallContext&, ToolCallPipeline::Next& next) { return next(); });
  }
  const ToolExecutor executor(registry, {.pipeline = pipeline});
  const ToolCatalog catalog(registry);
  const ToolCall call = call_of(10);
  for (auto _ : state)
    benchmark::DoNotOptimize(executor.run(catalog, call));
}
BENCHMARK(executor_ten_middlewares);

void catalog_unchanged(benchmark::State& state) {
  ToolRegistry registry;
  fill(registry, 1000, HandlerThread::Caller);
  for (auto _ : state)
    benchmark::DoNotOptimize(ToolCatalog(registry));
}
BENCHMARK(catalog_unchanged);

void catalog_after_a_change(benchmark::State& state) {
  ToolRegistry registry;
  fill(registry, 1000, HandlerThread::Caller);
  const RegisteredTool changed{
      .item = {.name = "tool1__run", .source = {.name = "bench"}},
      .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(1)); }};
  for (auto _ : state) {
    benchmark::DoNotOptimize(registry.add_or_replace(changed));
    benchmark::DoNotOptimize(ToolCatalog(registry));
  }
}
BENCHMARK(catalog_after_a_change);

void schema_ten_fields(benchmark::State& state) {
  const auto schema = Schema::compile(ten_field_schema()).value();
  if (!schema->valid(kTenFields)) std::abort();
  for (auto _ : state)
    benchmark::DoNotOptimize(schema->valid(kTenFields));
}
BENCHMARK(schema_ten_fields);

void schema_compile(benchmark::State& state) {
  const Json schema = ten_field_schema();
  for (auto _ : state)
    benchmark::DoNotOptimize(Schema::compile(schema));
}
BENCHMARK(schema_compile);

void run_all_eight(benchmark::State& state) {
  ToolRegistry registry;
  fill(registry, 10, HandlerThread::Own);
  const ToolExecutor executor(registry);
  const ToolCatalog catalog(registry);
  const std::vector<ToolCall> calls(8, call_of(10));
  for (auto _ : state)
    benchmark::DoNotOptimize(executor.run_all(catalog, calls));
}
BENCHMARK(run_all_eight)->UseRealTime();

}  // namespace
}  // namespace goondan
