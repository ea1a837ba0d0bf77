// What the built-in tools cost in a warm process, through the executor as an agent would call them:
// time and growth of memory. One row a process, so that one row's memory is not another's.
//
//   builtin_bench ROW   prints {"name", "ns", "growthBytes"} (and "perSecond" for http)
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include <goondan/goondan.h>

#include "loopback_server.h"

namespace goondan::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMegabyte = 1'000'000;

struct Figures {
  double nanoseconds = 0;
  std::size_t growth = 0;  // of the resident memory at its peak, in bytes
  double per_second = 0;
};

std::size_t status_kilobytes(std::string_view key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(key)) return std::stoul(line.substr(key.size() + 1));
  }
  return 0;
}

// Sets the kernel's mark of the highest resident size back to the current one.
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

// A registry with the built-in tools, and a folder to work in.
class Bench {
 public:
  explicit Bench(Policy policy = {}) {
    redactor_ = make_redactor();
    add_builtin_tools(registry_, {.policy = std::move(policy), .redactor = redactor_}).value();
    catalog_.emplace(registry_);
    executor_.emplace(registry_, ExecutorOptions{.redactor = redactor_});
    folder_ = fs::temp_directory_path() / ("gdn-bench-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    scope_ = std::make_shared<const CallScope>(CallScope{.workdir = fs::canonical(folder_)});
  }

  ~Bench() { fs::remove_all(folder_); }

  ToolCallResult call(std::string name, JsonObject input) const {
    ToolCallResult result =
        executor_->run(*catalog_, {.id = "1", .name = std::move(name), .input = std::move(input)},
                       {.scope = scope_});
    if (!result.ok()) {
      std::fprintf(stderr, "%s\n", to_text(result.to_json()).c_str());
      std::exit(1);
    }
    return result;
  }

  // The median of `rounds` calls after one that warms up, and the growth of the peak over them.
  Figures measure(const std::string& name, const JsonObject& input, int rounds) const {
    const ToolCall tool_call{.id = "1", .name = name, .input = input};
    call(name, input);
    forget_peak();
    const std::size_t before = status_kilobytes("VmRSS:");
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
      const auto start = Clock::now();
      const ToolCallResult result = executor_->run(*catalog_, tool_call, {.scope = scope_});
      times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
      if (!result.ok()) std::exit(1);
    }
    const std::size_t peak = status_kilobytes("VmHWM:");
    std::ranges::nth_element(times, times.begin() + rounds / 2);
    return {.nanoseconds = times[static_cast<std::size_t>(rounds / 2)],
            .growth = peak > before ? (peak - before) * 1024 : 0};
  }

  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  ToolRegistry registry_;
  std::shared_ptr<Redactor> redactor_;
  std::optional<ToolCatalog> catalog_;
  std::optional<ToolExecutor> executor_;
  fs::path folder_;
  std::shared_ptr<const CallScope> scope_;
};

Figures bash_true() {
  return Bench().measure("bash__exec", {{"command", "true"}}, 200);
}

Figures bash_50_megabytes() {
  return Bench().measure("bash__exec", {{"command", "head -c 50000000 /dev/zero"}}, 9);
}

Figures read_of_large_file() {
  const Bench bench;
  const std::string path = (bench.folder() / "large").string();
  std::ofstream(path) << "";
  fs::resize_file(path, 100 * kMegabyte);
  return bench.measure("file-system__read", {{"path", "large"}, {"maxBytes", 100'000}}, 200);
}

Figures list_100000() {
  const Bench bench;
  fs::create_directories(bench.folder() / "many");
  for (int i = 0; i < 100'000; ++i)
    std::ofstream(bench.folder() / "many" / ("file-" + std::to_string(i) + ".txt"));
  return bench.measure("file-system__list", {{"path", "many"}}, 9);
}

std::string records(std::size_t bytes) {
  std::string text = "{\"items\":[";
  for (int i = 0; text.size() < bytes; ++i) {
    const std::string n = std::to_string(i);
    text += (i == 0 ? "" : ",") + std::string("{\"id\":") + n + ",\"name\":\"record number " + n +
            "\",\"price\":" + n + ".25,\"tags\":[\"red\",\"green\"],\"stock\":{\"here\":true}}";
  }
  return text + "],\"last\":{\"found\":42}}";
}

Figures json_query() {
  return Bench().measure("json-query__query",
                         {{"data", records(50 * kMegabyte)}, {"path", "last.found"}}, 9);
}

std::string prose(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes)
    text += "The quick brown fox jumps over the lazy dog, and then it rests a while.\n";
  return text;
}

Figures text_replace() {
  return Bench().measure("text-transform__replace",
                         {{"text", prose(10 * kMegabyte)},
                          {"search", "lazy dog"},
                          {"replacement", "sleeping cat"},
                          {"all", true}},
                         15);
}

Figures text_split() {
  return Bench().measure("text-transform__split", {{"text", prose(10 * kMegabyte)}}, 15);
}

Figures text_upper() {
  return Bench().measure("text-transform__case", {{"text", prose(10 * kMegabyte)}, {"to", "upper"}},
                         15);
}

// 32 callers at once, each with one request after the other.
Figures http_fetch() {
  constexpr int kCallers = 32;
  constexpr int kRequests = 5000;
  const LoopbackServer server(std::string(1000, 'x'));
  const Bench bench({.http_allow = {"127.0.0.1:" + std::to_string(server.port())}});
  const JsonObject input{{"url", "http://127.0.0.1:" + std::to_string(server.port()) + "/"}};
  const auto run = [&](int requests) {
    std::vector<std::jthread> callers;
    for (int i = 0; i < kCallers; ++i) {
      callers.emplace_back([&] {
        for (int n = 0; n < requests; ++n)
          bench.call("http-fetch__get", input);
      });
    }
  };
  run(20);
  forget_peak();
  const std::size_t before = status_kilobytes("VmRSS:");
  const auto start = Clock::now();
  run(kRequests);
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  const std::size_t peak = status_kilobytes("VmHWM:");
  return {.nanoseconds = elapsed.count() * 1e9 / (kCallers * kRequests),
          .growth = peak > before ? (peak - before) * 1024 : 0,
          .per_second = kCallers * kRequests / elapsed.count()};
}

const std::map<std::string_view, Figures (*)()> kRows{
    {"bash_true", bash_true},          {"bash_50_megabytes", bash_50_megabytes},
    {"file_read", read_of_large_file}, {"file_list", list_100000},
    {"json_query", json_query},        {"text_replace", text_replace},
    {"text_split", text_split},        {"text_upper", text_upper},
    {"http_fetch", http_fetch}};

}  // namespace
}  // namespace goondan::bench

int main(int argc, char** argv) {
  using namespace goondan;
  const auto row = argc == 2 ? bench::kRows.find(argv[1]) : bench::kRows.end();
  if (row == bench::kRows.end()) {
    std::fputs("usage: builtin_bench ROW\n", stderr);
    for (const auto& [name, run] : bench::kRows)
      std::fprintf(stderr, "  %s\n", std::string(name).c_str());
    return 2;
  }
  const bench::Figures figures = row->second();
  const JsonObject line{{"name", row->first},
                        {"ns", figures.nanoseconds},
                        {"growthBytes", figures.growth},
                        {"perSecond", figures.per_second}};
  std::puts(to_text(line).c_str());
  return 0;
}
