// What OAuth costs an agent: the store of tokens, and the extension that offers the tools.
#include <benchmark/benchmark.h>

#include "extension/extension.h"
#include "oauth/store/store.h"
#include "resource/test_folder.h"

namespace goondan {
namespace {

constexpr int kTools = 1000;
constexpr int kToolsWithTokens = 10;
const oauth::RecordName kGrant{.app = "svc", .key = "bench:user:ada"};

std::unique_ptr<oauth::Store> store_in(const test::TestFolder& folder) {
  const std::filesystem::path path = folder.path() / "oauth";
  return oauth::Store::open(path, {.file = path / "key"}).value();
}

// About what a grant with two tokens takes.
oauth::Secret grant_text() {
  return oauth::Secret(R"({"access_token":")" + std::string(900, 'a') + R"("})");
}

void oauth_store_get(benchmark::State& state) {
  const test::TestFolder folder;
  const auto store = store_in(folder);
  if (!store->put(kGrant, grant_text(), 0).ok()) std::abort();
  for (auto _ : state) {
    const auto record = store->get(kGrant);
    if (!record.ok() || !record->has_value()) state.SkipWithError("the record is not there");
  }
}
BENCHMARK(oauth_store_get)->UseRealTime();

void oauth_store_put(benchmark::State& state) {
  const test::TestFolder folder;
  const auto store = store_in(folder);
  const oauth::Secret text = grant_text();
  std::uint64_t generation = 0;
  for (auto _ : state) {
    const auto written = store->put(kGrant, text, generation);
    if (!written.ok()) return state.SkipWithError(written.error().message.c_str());
    generation = *written;
  }
}
BENCHMARK(oauth_store_put)->UseRealTime();

class NoConversation final : public ConversationView {
 public:
  [[nodiscard]] const std::vector<Message>& messages() const override { return none_; }
  Result<void> append(Message) override { return {}; }
  Result<void> replace(const std::string&, Message) override { return {}; }
  Result<void> remove(const std::string&) override { return {}; }
  Result<void> truncate() override { return {}; }

 private:
  std::vector<Message> none_;
};

class NoState final : public ExtensionState {
 public:
  [[nodiscard]] Json get() const override { return nullptr; }
  Result<void> set(Json) override { return {}; }
};

// Of which the extension gives some their token.
void fill_with_tools(ToolRegistry& registry) {
  const Json parameters = {
      {"type", "object"},
      {"properties", {{"text", {{"type", "string"}}}, {"token", {{"type", "string"}}}}},
      {"required", {"text", "token"}}};
  for (int i = 0; i < kTools; ++i) {
    const auto added = registry.add(
        {.item = {.name = "tool" + std::to_string(i) + "__run",
                  .description = "does it",
                  .parameters = parameters,
                  .source = {.name = "bench"}},
         .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(1)); }});
    if (!added.ok()) std::abort();
  }
}

JsonObject oauth_config() {
  JsonArray rules;
  for (int i = 0; i < kToolsWithTokens; ++i)
    rules.push_back(
        JsonObject{{"tool", "tool" + std::to_string(i * kTools / kToolsWithTokens) + "__run"},
                   {"app", "svc"}});
  return {{"tools", std::move(rules)}};
}

// From the registry to what the model would be shown, as in each step.
void catalog_with_oauth(benchmark::State& state) {
  ToolRegistry registry;
  fill_with_tools(registry);
  const AgentFacts agent{.agent_name = "bench"};
  ExtensionLayers layers;
  NoState kept;
  EventBus events;
  ExtensionSite site{.name = "oauth",
                     .agent = agent,
                     .layers = layers,
                     .registry = registry,
                     .state = kept,
                     .events = events,
                     .log = [](LogLevel, std::string_view) {},
                     .runtime = nullptr};
  const auto enlisted = find_builtin_extension("oauth")(site, oauth_config());
  if (!enlisted.ok()) return state.SkipWithError(enlisted.error().message.c_str());
  const TurnMessage input{.id = "m1"};
  const std::string id = "turn_1";
  NoConversation conversation;
  for (auto _ : state) {
    StepContext context{.input = input,
                        .turn_id = id,
                        .trace_id = id,
                        .step_index = 1,
                        .conversation = conversation,
                        .catalog = ToolCatalog(registry)};
    benchmark::DoNotOptimize(layers.step.run(
        context, [](StepContext&) { return StepResult{}; },
        [](StepContext&, Error error) { return StepResult{.error = std::move(error)}; }));
  }
}
BENCHMARK(catalog_with_oauth);

}  // namespace
}  // namespace goondan
