// What it costs an agent to change its bundle.
#include <cstdlib>

#include <benchmark/benchmark.h>

#include "changeset/changesets.h"
#include "resource/test_folder.h"

namespace goondan::changeset {
namespace {

constexpr std::string_view kBenchBundle =
    "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: main}\n"
    "spec: {provider: anthropic, model: some-model}\n---\n"
    "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: helper}\n"
    "spec: {modelConfig: {modelRef: Model/main}, prompt: {systemRef: prompts/helper.md}}\n---\n"
    "apiVersion: goondan.ai/v1\nkind: Swarm\nmetadata: {name: default}\n"
    "spec: {entryAgent: Agent/helper, agents: [{ref: Agent/helper}]}\n";

bool make_bundle(const test::TestFolder& folder) {
  folder.write("bundle/goondan.yaml", kBenchBundle);
  folder.write("bundle/prompts/helper.md", "Be brief.\n");
  for (int i = 0; i < 50; ++i)
    folder.write("bundle/notes/" + std::to_string(i) + ".md", std::string(2'000, 'n'));
  const std::string git = "git -C '" + (folder.path() / "bundle").string() +
                          "' -c user.name=Mina -c user.email=m@example.com ";
  const std::string all = git + "init -q && " + git + "add -A && " + git + "commit -qm Begin";
  return std::system(all.c_str()) == 0;
}

// Opens a changeset, writes a prompt, and commits.
Result<Json> change_prompt(Changesets& changesets, int number) {
  const Json opened = GDN_TRY(changesets.open("to measure"));
  const std::filesystem::path workdir(std::string(opened.at("workdir").as_string()));
  std::ofstream(workdir / "prompts/helper.md") << "Be brief " << number << " times.\n";
  return changesets.commit(std::string(opened.at("changesetId").as_string()), "Change it", {},
                           "helper");
}

void changeset_open_and_commit(benchmark::State& state) {
  const test::TestFolder folder;
  if (!make_bundle(folder)) return state.SkipWithError("there is no git");
  Changesets changesets(
      {.bundle_root = folder.path() / "bundle", .worktrees = folder.path() / "worktrees"});
  int number = 0;
  for (auto _ : state) {
    const Result<Json> done = change_prompt(changesets, ++number);
    if (!done.ok()) return state.SkipWithError(done.error().message.c_str());
    if (!done->as_object().contains("newRef")) return state.SkipWithError("it was not taken");
  }
}
BENCHMARK(changeset_open_and_commit)->UseRealTime();

}  // namespace
}  // namespace goondan::changeset
