#include "call_world.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace goondan::soak {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kForEver{60'000};
constexpr std::chrono::seconds kSettle{10};  // for handlers that were left behind
constexpr std::size_t kTextBytes = 200'000;
constexpr std::array<const char*, 4> kCommands{"sleep 100", "sleep 100 & sleep 100 & wait",
                                               "trap '' TERM; while :; do sleep 0.05; done",
                                               "setsid sleep 100 & yes > /dev/null"};
// All that tests/plugins/well_behaved.cc has: a tool must declare each handler.
constexpr std::array kExports{"echo",           "context", "fails", "throws_exception",
                              "throws_number",  "talks",   "asks",  "prints",
                              "waits_for_stop", "sleeps",  "large", "size"};

void require(const Result<void>& result) {
  if (result.ok()) return;
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(2);
}

Result<Json> waits(ToolContext& context, const JsonObject&) {
  context.sleep_for(kForEver);
  return Json("woken");
}

// Looks up from its work only now and then.
Result<Json> works(ToolContext& context, const JsonObject&) {
  std::uint64_t sum = 0;
  while (!context.cancelled())
    for (std::uint64_t i = 0; i < 100'000; ++i)
      sum = sum * 31 + i;
  return Json(sum);
}

}  // namespace

CallWorld::CallWorld() {
  std::string pattern = (fs::temp_directory_path() / "gdn-soak-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) std::abort();
  folder_ = pattern;
  const std::string host = "127.0.0.1:" + std::to_string(server_.port());
  url_ = "http://" + host + "/";
  require(add_builtin_tools(registry_, {.policy = {.http_allow = {host}}}));
  add("soak__waits", waits);
  add("soak__works", works);
  add_plugin();
  catalog_.emplace(registry_);
  executor_.emplace(registry_, ExecutorOptions{.observers = {ledger_}});
  scope_ = std::make_shared<const CallScope>(CallScope{.workdir = fs::canonical(folder_)});
}

CallWorld::~CallWorld() {
  fs::remove_all(folder_);
}

void CallWorld::add(std::string name, ToolHandler handler) {
  require(registry_.add({.item = {.name = std::move(name), .source = {.name = "soak"}},
                         .handler = std::move(handler)}));
}

void CallWorld::add_plugin() {
  fs::copy_file(GDN_SOAK_PLUGIN, folder_ / "plugin.so");
  std::string yaml =
      "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: { name: plugin }\n"
      "spec:\n  entry: ./plugin.so\n  exports:\n";
  for (const char* const name : kExports)
    yaml += "    - { name: " + std::string(name) + ", parameters: { type: object } }\n";
  std::ofstream(folder_ / "goondan.yaml") << yaml;
  require(add_bundle_tools(registry_, Bundle::load(folder_).value()));
}

ToolCall CallWorld::call(std::string id, std::mt19937_64& random) const {
  switch (random() % 8) {
    case 0:
    case 1:
    case 2:
      return {std::move(id), "bash__exec",
              JsonObject{{"command", kCommands[random() % kCommands.size()]}}};
    case 3:
      return {std::move(id), "http-fetch__get", JsonObject{{"url", url_}}};
    case 4:
      return {std::move(id), "soak__waits"};
    case 5:
      return {std::move(id), "soak__works"};
    case 6:
      return {std::move(id), "plugin__sleeps", JsonObject{{"ms", kForEver.count()}}};
    default:
      return {std::move(id), "text-transform__case",
              JsonObject{{"text", std::string(kTextBytes, 'x')}, {"to", "upper"}}};
  }
}

std::vector<ToolCallResult> CallWorld::run(const std::vector<ToolCall>& calls,
                                           std::stop_token stop) const {
  return executor_->run_all(*catalog_, calls, {.scope = scope_, .stop = std::move(stop)});
}

bool CallWorld::settle() const {
  const Deadline end = Clock::now() + kSettle;
  while (executor_->stats().running > 0 && Clock::now() < end)
    std::this_thread::sleep_for(milliseconds(5));
  return executor_->stats().running == 0;
}

}  // namespace goondan::soak
