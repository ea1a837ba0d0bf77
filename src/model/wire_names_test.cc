#include "model/wire_names.h"

#include <set>

#include <gtest/gtest.h>

#include "model/http_fixture.h"
#include "model/model.h"

namespace goondan {
namespace {

Message called(const std::vector<std::string>& names) {
  ModelReply reply;
  for (const std::string& name : names) {
    reply.calls.push_back({.id = "c", .name = name});
  }
  return reply.to_message("openai", "s");
}

// REQ: NAME-3
TEST(WireNames, MapNamesThatProvidersRefuseAndBack) {
  const std::string longest = "server__" + std::string(100, 'x');
  const std::vector<std::string> offered{"slack.post", "slack_post", "fs__read", longest};
  const std::vector<std::string> gone{"old.tool", "이름", "", longest + "y", "a b"};
  const std::vector<Message> history{called(gone), called(offered)};
  const WireNames names(catalog_of(offered), history);
  std::set<std::string> seen;
  for (const std::vector<std::string>& list : {offered, gone}) {
    for (const std::string& name : list) {
      const std::string wire = names.to_wire(name);
      EXPECT_TRUE(provider_accepts(wire)) << wire;
      EXPECT_EQ(names.from_wire(wire), name);
      EXPECT_TRUE(seen.insert(wire).second) << wire;
    }
  }
  EXPECT_EQ(names.to_wire("fs__read"), "fs__read");
  EXPECT_TRUE(names.offers("fs__read"));
  EXPECT_FALSE(names.offers(names.to_wire("old.tool")));
  EXPECT_EQ(names.from_wire("made_up"), "made_up");
}

TEST(WireNames, NeverGiveAHistoricalNameThatOfAnother) {
  const std::string taken = wire_form("old.tool", kMaxProviderName);
  const WireNames names(catalog_of({taken}), std::vector<Message>{called({"old.tool"})});
  EXPECT_EQ(names.to_wire(taken), taken);
  EXPECT_NE(names.to_wire("old.tool"), taken);
  EXPECT_EQ(names.from_wire(names.to_wire("old.tool")), "old.tool");
}

TEST(WireNames, AreTheSameInEveryProcess) {
  EXPECT_EQ(wire_form("fs__read", 64), "fs__read");
  EXPECT_EQ(wire_form("old.tool", 64), wire_form("old.tool", 64));
  EXPECT_EQ(wire_form("old.tool", 64).substr(0, 9), "old_tool_");
  EXPECT_EQ(wire_form("old.tool", 64).size(), 17U);
  EXPECT_EQ(wire_form(std::string(65, 'a'), 64).size(), 64U);
}

TEST(WireIds, AreAcceptedAndNeverTheSameTwice) {
  WireIds ids;
  std::set<std::string> seen;
  for (const std::string id : {"call_1", "call_1", "tool:1", "tool.1", "", "", "id with space"}) {
    const std::string wire = ids.add(id);
    EXPECT_LE(wire.size(), kMaxWireId);
    EXPECT_TRUE(provider_accepts(wire)) << wire;
    EXPECT_TRUE(seen.insert(wire).second) << wire;
  }
  EXPECT_TRUE(seen.contains("call_1"));
}

}  // namespace
}  // namespace goondan
