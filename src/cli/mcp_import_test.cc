#include "cli/mcp_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

McpImport imported(std::string_view text, std::set<std::string> taken = {}) {
  const Result<Json> document = parse_tolerant_json(text);
  EXPECT_TRUE(document.ok()) << document.error().message;
  Result<McpImport> import = import_mcp_servers(*document, std::move(taken));
  EXPECT_TRUE(import.ok());
  return *std::move(import);
}

TEST(TolerantJson, TakesCommentsAndCommasBeforeTheEnd) {
  const Result<Json> read = parse_tolerant_json(
      "\xEF\xBB\xBF// a file\n{\"a\": \"// no comment, [1,]\", /* but\n this */ \"b\": [1, 2, /**/ "
      "],\n}"
      " // end");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_text(*read), R"({"a":"// no comment, [1,]","b":[1,2]})");
}

TEST(TolerantJson, StillRefusesWhatIsNoJson) {
  for (const std::string_view text :
       {"", "{", "{,,}", "[1 2]", "{\"a\": 1,, }", "/* never closed", "\"\\", "{\"a\":1,\"a\":2}"})
    EXPECT_FALSE(parse_tolerant_json(text).ok()) << text;
}

TEST(TolerantJson, KeepsTheLinesOfTheFile) {
  const Result<Json> read = parse_tolerant_json("// one\n{\n \"a\": nope\n}");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("line 3"));
}

TEST(McpImport, ReadsTheListsOfOtherPrograms) {
  constexpr std::string_view kEntry = R"({"files": {"command": "npx", "args": ["-y", "x"]}})";
  for (const std::string_view way : {"mcpServers", "servers", "context_servers", "mcp"}) {
    const McpImport found = imported("{\"" + std::string(way) + "\": " + std::string(kEntry) + "}");
    ASSERT_EQ(found.servers.size(), 1U) << way;
    EXPECT_EQ(found.servers[0].name, "files");
    EXPECT_THAT(found.servers[0].args, ElementsAre("-y", "x"));
    EXPECT_THAT(found.notes, IsEmpty());
  }
  EXPECT_EQ(imported("{\"mcp\": {\"servers\": " + std::string(kEntry) + "}}").servers.size(), 1U);
}

TEST(McpImport, SaysIfThereIsNoList) {
  const Result<McpImport> found = import_mcp_servers(*parse_json(R"({"a": {}})"));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(import_mcp_servers(*parse_json("[1]")).ok());
}

TEST(McpImport, TakesCommandsInEveryForm) {
  const McpImport found = imported(R"({"mcpServers": {
    "a": {"type": "local", "command": ["bun", "x"], "environment": {"PORT": 8080}},
    "b": {"command": {"path": "/bin/b", "args": ["1"]}, "cwd": "/srv"},
    "e": {"command": "e", "cwd": "${workspaceFolder}"},
    "c": {"type": "http", "url": "https://c.example/mcp", "headers": {"X-Team": "blue"}},
    "d": {"httpUrl": "https://d.example/mcp", "timeout": 5}
  }})");
  ASSERT_EQ(found.servers.size(), 5U);
  EXPECT_EQ(found.servers[0].command, "bun");
  EXPECT_EQ(found.servers[0].env.at("PORT").value, "8080");
  EXPECT_EQ(found.servers[1].folder, "/srv");
  EXPECT_EQ(found.servers[2].folder, "");
  EXPECT_EQ(found.servers[3].headers.at("X-Team").value, "blue");
  EXPECT_EQ(found.servers[4].url, "https://d.example/mcp");
  EXPECT_THAT(found.notes,
              ElementsAre("'e': its `cwd` was ${workspaceFolder}; it starts in the folder "
                          "of the bundle now",
                          "'d': 'timeout' was not taken over"));
}

TEST(McpImport, KeepsSecretsOutOfTheBundle) {
  const McpImport found = imported(R"({"mcpServers": {
    "gh": {"command": "x", "env": {"GITHUB_TOKEN": "hunter2hunter2", "A": "${B}", "C": "${env:D}", "E": "f"}},
    "web": {"url": "https://w.example/mcp", "headers": {"Authorization": "Bearer ${T}"}},
    "arg": {"command": "x", "args": ["ghp_abcdefghijklmnopqrstuvwxyz0123456789"]}
  }})");
  ASSERT_EQ(found.servers.size(), 3U);
  EXPECT_EQ(found.servers[0].env.at("GITHUB_TOKEN").env, "GITHUB_TOKEN");
  EXPECT_EQ(found.servers[0].env.at("A").env, "B");
  EXPECT_EQ(found.servers[0].env.at("C").env, "D");
  EXPECT_EQ(found.servers[0].env.at("E").value, "f");
  EXPECT_EQ(found.servers[1].headers.at("Authorization").env, "WEB_AUTHORIZATION");
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("put it into .env as GITHUB_TOKEN"),
                                       HasSubstr("put it into .env as WEB_AUTHORIZATION"),
                                       HasSubstr("one of its arguments looks like a secret")));
  const std::string yaml = mcp_extension_yaml("mcp", found.servers);
  EXPECT_THAT(yaml, testing::Not(HasSubstr("hunter2")));
}

TEST(McpImport, ChangesNamesThatAreNotAllowed) {
  const McpImport found = imported(
      R"({"mcpServers": {"bash": {"command": "x"}, "a b/c__": {"command": "x"}, "한글": {"command": "x"},
          "Files": {"command": "x"}, "FILES": {"command": "x"}, "notes": {"command": "x"},
          "filesystem": {"command": "x"}}})",
      {"notes"});
  std::vector<std::string> names;
  for (const McpServerResource& server : found.servers)
    names.push_back(server.name);
  EXPECT_THAT(names, ElementsAre("bash-mcp", "a-b-c", "server", "Files", "FILES-2", "notes-2",
                                 "filesystem-mcp"));
  ASSERT_EQ(found.notes.size(), 6U);
  EXPECT_EQ(found.notes.back(),
            "'filesystem' is called 'filesystem-mcp' now: a built-in tool is called so");
}

TEST(McpImport, TellsWhatItLeavesOut) {
  const McpImport found = imported(R"({"mcpServers": {
    "old": {"type": "sse", "url": "https://o.example/sse"}, "off": {"disabled": true, "command": "x"},
    "none": {}, "both": {"command": "x", "url": "https://b.example"}, "text": "x"}})");
  EXPECT_THAT(found.servers, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("'old' was left out: it speaks only"),
                                       HasSubstr("'off' was left out: it is switched off there"),
                                       HasSubstr("'none' was left out: it has neither"),
                                       HasSubstr("'both' was left out: it has both"),
                                       HasSubstr("'text' was left out: it is no object")));
}

TEST(McpImport, WritesADocument) {
  const McpImport found = imported(R"({"mcpServers": {
    "files": {"command": "npx", "args": ["-y", "a \"b\": c"], "env": {"MODE": "true", "TOKEN": "abc"}},
    "web": {"url": "https://w.example/mcp"}}})");
  EXPECT_EQ(mcp_extension_yaml("mcp", found.servers),
            "apiVersion: goondan.ai/v1\n"
            "kind: Extension\n"
            "metadata:\n"
            "  name: mcp\n"
            "spec:\n"
            "  mcp:\n"
            "    servers:\n"
            "      files:\n"
            "        command: npx\n"
            "        args: [\"-y\", \"a \\\"b\\\": c\"]\n"
            "        env:\n"
            "          MODE: \"true\"\n"
            "          TOKEN: { valueFrom: { env: TOKEN } }\n"
            "      web:\n"
            "        url: \"https://w.example/mcp\"\n");
}

}  // namespace
}  // namespace goondan::cli
