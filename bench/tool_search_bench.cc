// What it costs to find a tool among thousands.
#include <array>

#include <benchmark/benchmark.h>

#include "extension/shipped/search_index.h"

namespace goondan::shipped {
namespace {

constexpr std::array<std::string_view, 20> kServices{
    "mail",    "calendar", "drive",   "github", "jira",    "slack",    "notion",
    "crm",     "billing",  "storage", "maps",   "weather", "payments", "search",
    "metrics", "logs",     "deploy",  "users",  "orders",  "inventory"};
constexpr std::array<std::string_view, 20> kVerbs{
    "create", "read",   "update", "delete", "list",    "search", "send",
    "export", "import", "copy",   "move",   "archive", "share",  "approve",
    "cancel", "count",  "assign", "merge",  "sync",    "watch"};
constexpr std::array<std::string_view, 25> kThings{
    "message", "event",   "file",    "issue",   "comment", "channel",   "page",
    "contact", "invoice", "bucket",  "place",   "report",  "payment",   "index",
    "chart",   "entry",   "release", "account", "order",   "warehouse", "label",
    "folder",  "task",    "meeting", "note"};
constexpr std::array<std::string_view, 4> kKorean{
    "파일과 문서를 관리합니다.", "메시지를 보내고 받습니다.", "일정을 추가하거나 삭제합니다.",
    "사용자와 주문을 조회합니다."};

ToolCatalog make_catalog(std::size_t count) {
  std::vector<ToolCatalog::EntryPtr> entries;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string service(kServices[i % kServices.size()]);
    const std::string verb(kVerbs[i / kServices.size() % kVerbs.size()]);
    const std::string thing(kThings[i / (kServices.size() * kVerbs.size()) % kThings.size()]);
    const std::string number = std::to_string(i);
    auto made = CatalogEntry::make(
        {.name = service + number + "__" + verb + "_" + thing,
         .description = "Lets the " + service + " service " + verb + " a " + thing +
                        " and returns its identifier, state and the time of the last change. " +
                        std::string(kKorean[i % kKorean.size()]),
         .parameters = JsonObject{{"type", "object"},
                                  {"properties",
                                   {{thing + "Id", JsonObject{{"type", "string"}}},
                                    {"limit", {{"type", "integer"}}},
                                    {"fields", {{"type", "array"}}}}}}});
    if (!made.ok()) std::abort();
    entries.push_back(*made);
  }
  return ToolCatalog(entries);
}

void search(benchmark::State& state, std::string_view query) {
  SearchIndex index;
  index.update(make_catalog(static_cast<std::size_t>(state.range(0))), "");
  for (auto _ : state)
    benchmark::DoNotOptimize(index.search(query, 10));
}
BENCHMARK_CAPTURE(search, english, "send a message to the slack channel")->Arg(10'000);
BENCHMARK_CAPTURE(search, korean, "캘린더에 일정을 추가해줘")->Arg(10'000);
BENCHMARK_CAPTURE(search, typos, "calender evnt shceduling")->Arg(10'000);
BENCHMARK_CAPTURE(search, long_question,
                  "I want to export all invoices and payments of my account to a file in the drive "
                  "folder, then share the report with the users of the billing channel")
    ->Arg(10'000);

void build(benchmark::State& state) {
  const ToolCatalog catalog = make_catalog(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    SearchIndex index;
    index.update(catalog, "");
    benchmark::DoNotOptimize(index.size());
  }
}
BENCHMARK(build)->Arg(10'000);

void update_one(benchmark::State& state) {
  const ToolCatalog all = make_catalog(static_cast<std::size_t>(state.range(0)));
  const ToolCatalog less(all.entries().subspan(1));
  SearchIndex index;
  index.update(all, "");
  for (auto _ : state) {
    index.update(less, "");
    index.update(all, "");
  }
}
BENCHMARK(update_one)->Arg(10'000);

}  // namespace
}  // namespace goondan::shipped
