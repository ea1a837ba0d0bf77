#include <fstream>
#include <signal.h>

#include <gtest/gtest.h>

#include "agent/process_fixture.h"
#include "base/json_fields.h"
#include "ipc/frame_io.h"
#include "os/process_tree.h"

namespace goondan::agent {
namespace {

using test::TestSwarm;

constexpr std::string_view kEcho = "  - text: \"You said {{input}}\"\n";

std::string error_code(const JsonObject& note) {
  const JsonObject* error = object_field(note, "error");
  return error == nullptr ? "none" : text_field(*error, "code");
}

TEST(Zygote, SaysWhatItHasLoaded) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "b"}, {.name = "a"}}, kEcho);
  const JsonObject loaded = swarm.start();
  EXPECT_EQ(text_field(loaded, "kind"), "loaded") << to_text(loaded);
  EXPECT_EQ(text_field(loaded, "swarm"), "default");
  EXPECT_EQ(text_field(loaded, "entryAgent"), "b");
  EXPECT_FALSE(text_field(loaded, "workspace").empty());
  EXPECT_EQ(integer_field(loaded, "shutdownGraceMs"), 30'000);
  const JsonArray* agents = array_field(loaded, "agents");
  ASSERT_TRUE(agents != nullptr && agents->size() == 2);
  EXPECT_EQ(text_field(object_or_empty(agents->front()), "name"), "a");
  EXPECT_EQ(text_field(object_or_empty(agents->front()), "fingerprint").size(), 16U);
}

TEST(Zygote, ReportsEverythingThatIsWrongWithABundle) {
  TestSwarm swarm;
  swarm.bundle().write("goondan.yaml",
                       "apiVersion: goondan.ai/v1\nkind: Nonsense\n---\nkind: Tool\n");
  const JsonObject failed = swarm.start();
  EXPECT_EQ(text_field(failed, "kind"), "failed");
  EXPECT_TRUE(error_code(failed).starts_with("E_CONFIG"));
  const JsonArray* diagnostics = array_field(failed, "diagnostics");
  ASSERT_NE(diagnostics, nullptr);
  EXPECT_GE(diagnostics->size(), 2U);
  EXPECT_EQ(swarm.end(), "exit code 1");
}

TEST(Zygote, NamesTheSwarmsIfTheOneAskedForIsNotThere) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  const JsonObject failed = swarm.start("other");
  EXPECT_EQ(error_code(failed), "E_CONFIG_SWARM_MISSING");
  EXPECT_NE(to_text(failed).find("default"), std::string::npos);
}

TEST(Zygote, ReportsAllModelsThatCannotRun) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}, {.name = "b"}}, kEcho);
  std::string yaml = goondan::test::read_file(swarm.bundle().path() / "goondan.yaml");
  swarm.bundle().write("goondan.yaml",
                       yaml.replace(yaml.find("scripted"), std::size("scripted") - 1, "unknown1"));
  const JsonObject failed = swarm.start();
  EXPECT_EQ(error_code(failed), "E_MODEL_CONFIG");
  EXPECT_EQ(array_field(failed, "diagnostics")->size(), 2U);
}

TEST(Zygote, RefusesAModelWhoseKeyIsNotSet) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  std::string yaml = goondan::test::read_file(swarm.bundle().path() / "goondan.yaml");
  const std::string_view scripted = "provider: scripted, model: ./script.yaml";
  swarm.bundle().write(
      "goondan.yaml",
      yaml.replace(yaml.find(scripted), scripted.size(),
                   "provider: openai, model: m, apiKey: { valueFrom: { env: GDN_TEST_NOT_SET } }"));
  const JsonObject failed = swarm.start();
  EXPECT_EQ(error_code(failed), "E_CONFIG_VALUE_MISSING");
  EXPECT_NE(to_text(failed).find("GDN_TEST_NOT_SET"), std::string::npos);
}

TEST(Zygote, SurvivesRequestsThatMakeNoSense) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  auto sockets = ipc::make_socket_pair();
  const int fd = sockets->second.get();
  EXPECT_EQ(error_code(swarm.ask(
                {{"kind", "spawn"}, {"id", 1}, {"agent", "nobody"}, {"folder", "/x"}}, fd)),
            "E_AGENT_NOT_FOUND");
  EXPECT_EQ(error_code(swarm.ask({{"kind", "spawn"}, {"id", 2}, {"agent", "a"}, {"folder", "/x"}})),
            "E_IPC");
  EXPECT_EQ(error_code(swarm.ask({{"kind", "dance"}, {"id", "x"}}, fd)), "E_IPC");
  EXPECT_EQ(error_code(swarm.ask({{"kind", 7}, {"agent", JsonArray{}}}, fd)), "E_IPC");
  const auto agent = swarm.spawn("a", "k", "relative/../nonsense");
  EXPECT_EQ(text_field(agent->next_event("start_failed"), "kind"), "start_failed");
  swarm.spawn_ready("a", "good");
}

TEST(Zygote, ForksAgentsThatKnowNothingOfEachOther) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}, {.name = "b"}}, kEcho);
  swarm.start();
  const auto first = swarm.spawn_ready("a");
  const auto second = swarm.spawn_ready("b");
  EXPECT_NE(first->pid(), second->pid());
  first->send_turn("m1", "one");
  second->send_turn("m2", "two");
  EXPECT_EQ(text_field(second->next_event("turn_done"), "response"), "You said two");
  EXPECT_EQ(text_field(first->next_event("turn_done"), "response"), "You said one");
  first->kill();
  EXPECT_EQ(first->end(), "signal 9");
  second->send_turn("m3", "three");
  EXPECT_EQ(text_field(second->next_event("turn_done"), "response"), "You said three");
  const auto again = swarm.spawn_ready("a");
  EXPECT_EQ(os::children_of(swarm.zygote_pid()), std::vector<pid_t>{});
}

TEST(Zygote, GivesAnAgentItsSocketAndNothingElse) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  std::size_t sockets = 0;
  const std::filesystem::path folder = "/proc/" + std::to_string(agent->pid()) + "/fd";
  std::error_code denied;  // without the right to look there is nothing to see
  for (const auto& entry : std::filesystem::directory_iterator(folder, denied)) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    if (std::stoi(entry.path().filename().string()) <= 2) continue;
    if (target.starts_with("socket:")) ++sockets;
    EXPECT_FALSE(target.starts_with("pipe:")) << target;
  }
  if (!denied) {
    EXPECT_EQ(sockets, 1U);
  }
}

TEST(Zygote, EndsWithItsSocketAndItsAgentsGoOn) {
  TestSwarm swarm;
  swarm.write_bundle({{.name = "a"}}, kEcho);
  swarm.start();
  const auto agent = swarm.spawn_ready("a");
  swarm.close();
  EXPECT_EQ(swarm.end(), "exit code 0");
  agent->send_turn("m1", "hello");
  EXPECT_EQ(text_field(agent->next_event("turn_done"), "status"), "ok");
}

}  // namespace
}  // namespace goondan::agent
