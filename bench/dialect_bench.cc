// What code of the first dialect costs on Node: a call with the turn around it, and a token.
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <benchmark/benchmark.h>

#include <goondan/goondan.h>

#include "base/redactor.h"
#include "net/http_client.h"
#include "oauth/manager.h"
#include "oauth/manager/grant_record.h"
#include "resource/test_folder.h"
#include "v1alpha1/place.h"
#include "v1alpha1/surroundings.h"

namespace goondan {
namespace {

constexpr int kTokensOfACall = 200;
constexpr std::string_view kSubject = "bench:user:ada";

// As a step of an agent with this catalog would make it.
std::shared_ptr<const CallScope> scope_of(const ToolCatalog& catalog, const ToolCall& call) {
  CallScope scope{.agent_name = "bench", .instance_key = "default", .turn_id = "turn_1"};
  scope.auth = JsonObject{{"subjects", JsonObject{{"user", kSubject}}}};
  const std::vector<Message> messages{Message::user("Say it, please.")};
  const JsonObject metadata;
  scope.surroundings = v1alpha1::make_surroundings({.agent_name = scope.agent_name,
                                                    .instance_id = "bench@default",
                                                    .turn_id = scope.turn_id,
                                                    .origin = scope.origin,
                                                    .auth = scope.auth,
                                                    .metadata = metadata,
                                                    .messages = messages,
                                                    .step_id = "turn_1-step-1",
                                                    .step_index = 1,
                                                    .calls = {&call, 1},
                                                    .catalog = catalog});
  return std::make_shared<const CallScope>(std::move(scope));
}

Result<void> add_old_tools(ToolRegistry& registry) {
  const std::string node = GDN_NPM_DIR "/bin/node";
  if (!std::filesystem::exists(node))
    return Error{.code = ErrorCode::NotFound, .message = "Node is not installed"};
  ::setenv("GOONDAN_SCRIPT_RUNTIME", node.c_str(), 1);
  const Bundle bundle = GDN_TRY(Bundle::load(GDN_BENCH_DIR "/bundle"));
  Json place = v1alpha1::make_place({.bundle = bundle,
                                     .swarm_name = "default",
                                     .agent_name = "bench",
                                     .instance_id = "bench@default",
                                     .instance_key = "default"});
  return add_bundle_tools(registry, bundle, {.only = "old", .place = std::move(place)});
}

void old_call(benchmark::State& state) {
  ToolRegistry registry;
  const Result<void> added = add_old_tools(registry);
  if (!added.ok()) return state.SkipWithError(added.error().message.c_str());
  const ToolExecutor executor(registry);
  const ToolCatalog catalog(registry);
  const ToolCall call{.id = "1", .name = "old.echo", .input = {{"text", "hi"}}};
  const CallOptions options{.scope = scope_of(catalog, call)};
  for (auto _ : state) {
    if (!executor.run(catalog, call, options).ok()) state.SkipWithError("the call failed");
  }
}
BENCHMARK(old_call)->UseRealTime()->MinWarmUpTime(1);

// Answers as an agent's own process does, of a store with a grant that is still good.
class BenchTokens final : public CallRuntime {
 public:
  explicit BenchTokens(const std::filesystem::path& folder)
      : store_(oauth::Store::open(folder / "oauth", {.file = folder / "oauth" / "key"}).value()),
        manager_({.apps = {app()}, .store = *store_, .http = http_, .redactor = redactor.get()}) {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count();
    oauth::GrantRecord grant{.app = "svc",
                             .provider = "demo",
                             .subject = std::string(kSubject),
                             .scopes = {"read"},
                             .access_token = oauth::Secret("a-token-of-the-benchmark"),
                             .expires_at = now + 86'400,
                             .created_at = now,
                             .updated_at = now,
                             .client = oauth::client_of(app())};
    const oauth::RecordName name{.app = "svc", .key = std::string(kSubject)};
    if (!store_->put(name, grant.to_text(), 0).ok()) std::abort();
  }

  Result<Json> request(const Caller& caller, std::string_view, const Json& params) override {
    oauth::TokenRequest asked = GDN_TRY(oauth::TokenRequest::parse(params));
    asked.auth = caller.scope.auth;
    return oauth::to_json(
        manager_.get_access_token(asked, {.deadline = caller.deadline, .stop = caller.stop}));
  }

  std::shared_ptr<Redactor> redactor = std::make_shared<Redactor>();

 private:
  static oauth::App app() {
    return {.name = "svc",
            .provider = "demo",
            .subject_mode = OAuthAppResource::SubjectMode::User,
            .client_id = "client",
            .scopes = {"read"}};
  }

  net::HttpClient http_;
  std::unique_ptr<oauth::Store> store_;
  oauth::Manager manager_;
};

void old_token(benchmark::State& state) {
  ToolRegistry registry;
  const Result<void> added = add_old_tools(registry);
  if (!added.ok()) return state.SkipWithError(added.error().message.c_str());
  const test::TestFolder folder;
  const auto tokens = std::make_shared<BenchTokens>(folder.path());
  const ToolExecutor executor(registry, {.runtime = tokens, .redactor = tokens->redactor});
  const ToolCatalog catalog(registry);
  const ToolCall call{.id = "1", .name = "old.tokens", .input = {{"count", kTokensOfACall}}};
  const CallOptions options{.scope = scope_of(catalog, call)};
  for (auto _ : state) {
    const ToolCallResult result = executor.run(catalog, call, options);
    if (!result.ok()) return state.SkipWithError(to_text(result.to_json()).c_str());
    state.SetIterationTime(result.output->at("ns").to_number<double>() / 1e9);
  }
}
// Each iteration is the median of many tokens, so that a few are enough.
BENCHMARK(old_token)->UseManualTime()->Iterations(25);

}  // namespace
}  // namespace goondan
