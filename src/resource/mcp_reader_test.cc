#include "resource/mcp_reader.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resource/test_bundle.h"

namespace goondan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Trust = McpServerResource::Trust;

constexpr std::string_view kHead =
    "apiVersion: goondan.ai/v1\n"
    "kind: Extension\n"
    "metadata: {name: servers}\n"
    "spec:\n"
    "  mcp:\n"
    "    servers:\n";

// A bundle whose only extension has these servers, a line each; the first is line 7.
BundleReport check_servers(const std::string& lines, const std::string& more = {}) {
  return test::check_yaml(std::string(kHead) + lines + more);
}

// What is wrong, but for the warning that there is no swarm.
std::vector<std::string> problems(const BundleReport& report) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.code == ErrorCode::ConfigSwarmMissing) continue;
    lines.push_back((diagnostic.severity == Severity::Warning ? "?" : "") +
                    std::to_string(diagnostic.position.line) + " " + diagnostic.message);
  }
  return lines;
}

std::vector<std::string> problems_of(const std::string& line) {
  return problems(check_servers("      " + line + "\n"));
}

const McpServerResource& server_of(const BundleReport& report) {
  return report.bundle->extensions().at(0).mcp_servers.at(0);
}

TEST(McpReader, ReadsAProgramWithEverything) {
  const BundleReport report = check_servers(
      "      files:\n"
      "        command: npx\n"
      "        args: [-y, '@x/files', .]\n"
      "        env: {A: text, PORT: 8080, B: '${HOME_B}', T: {valueFrom: {env: TOKEN}}}\n"
      "        cwd: data\n"
      "        tools: [read, list]\n"
      "        trust: approved\n"
      "        required: true\n"
      "        startTimeoutMs: 1500\n");
  ASSERT_TRUE(report.ok()) << problems(report).front();
  EXPECT_THAT(problems(report), IsEmpty());
  const McpServerResource& server = server_of(report);
  EXPECT_EQ(server.name, "files");
  EXPECT_EQ(server.command, "npx");
  EXPECT_THAT(server.args, ElementsAre("-y", "@x/files", "."));
  EXPECT_EQ(server.env.at("A").value, "text");
  EXPECT_EQ(server.env.at("PORT").value, "8080");
  EXPECT_EQ(server.env.at("B").env, "HOME_B");
  EXPECT_EQ(server.env.at("T").env, "TOKEN");
  EXPECT_EQ(server.folder, "data");
  EXPECT_THAT(*server.only_tools, ElementsAre("read", "list"));
  EXPECT_EQ(server.trust, Trust::Approved);
  EXPECT_EQ(server.need, McpServerResource::Need::Required);
  EXPECT_EQ(server.start_timeout, std::chrono::milliseconds(1500));
}

TEST(McpReader, ReadsAnAddressWithHeaders) {
  const BundleReport report = check_servers(
      "      web:\n"
      "        url: https://example.com/mcp\n"
      "        headers: {Authorization: {valueFrom: {env: T}}, X-Team: blue}\n");
  ASSERT_TRUE(report.ok());
  const McpServerResource& server = server_of(report);
  EXPECT_EQ(server.url, "https://example.com/mcp");
  EXPECT_EQ(server.headers.at("Authorization").env, "T");
  EXPECT_EQ(server.headers.at("X-Team").value, "blue");
  EXPECT_EQ(server.trust, Trust::FirstUse);
  EXPECT_FALSE(server.only_tools);
  EXPECT_FALSE(server.start_timeout);
}

TEST(McpReader, TakesACommandWithItsArgumentsAsAList) {
  const BundleReport report =
      check_servers("      files: {command: [npx, -y, x], args: [z], type: stdio}\n");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(server_of(report).command, "npx");
  EXPECT_THAT(server_of(report).args, ElementsAre("-y", "x", "z"));
}

TEST(McpReader, WantsEitherACommandOrAnAddress) {
  EXPECT_THAT(problems_of("a: {}"),
              ElementsAre("7 the server `a` has neither `command` nor `url`"));
  EXPECT_THAT(problems_of("a: {command: b, url: 'http://c'}"),
              ElementsAre("7 `command` and `url` are both given; one is allowed"));
  EXPECT_THAT(problems_of("a: {command: b, headers: {X: y}}"),
              ElementsAre("7 `headers` is for servers with a `url`"));
  EXPECT_THAT(problems_of("a: {url: 'http://c', args: [x], cwd: y}"),
              ElementsAre("7 `args` is for servers with a `command`",
                          "7 `cwd` is for servers with a `command`"));
  EXPECT_THAT(problems_of("a: {command: npx -y x}"),
              ElementsAre(HasSubstr("it is not read by a shell")));
  EXPECT_THAT(problems_of("a: {command: 'npx -y @some/server /data'}"),
              ElementsAre(HasSubstr("it is not read by a shell")));
  EXPECT_THAT(problems_of("a: {command: '/opt/my programs/server'}"), ElementsAre());
  EXPECT_THAT(problems_of("a: {command: []}"), ElementsAre("7 `command` is empty"));
  EXPECT_THAT(problems_of("a: text"), ElementsAre("7 `a` must be a mapping, not text"));
}

TEST(McpReader, RefusesAddressesThatAreNone) {
  for (const std::string url :
       {"ftp://x", "example.com/mcp", "http://", "https:///x", "http://a b"})
    EXPECT_THAT(problems_of("a: {url: '" + url + "'}"),
                ElementsAre(HasSubstr("must be an address of http or https")));
  EXPECT_THAT(problems_of("a: {url: 'https://me:pw@example.com/mcp'}"),
              ElementsAre("7 `url` holds a name and a password"));
  EXPECT_THAT(problems_of("a: {url: 'https://x/sse', type: sse}"),
              ElementsAre(HasSubstr("the transport `sse` is not supported")));
  EXPECT_THAT(problems_of("a: {url: 'https://x/mcp', type: stdio}"),
              ElementsAre("7 `type` does not fit the server: `stdio`"));
}

// REQ: CAT-5
TEST(McpReader, RefusesNamesThatCouldBeTakenForOthers) {
  EXPECT_THAT(problems_of("a__b: {command: x}"), ElementsAre(HasSubstr("holds `__`")));
  EXPECT_THAT(problems_of("a_: {command: x}"), ElementsAre(HasSubstr("ends in `_`")));
  EXPECT_THAT(problems_of("a.b: {command: x}"), ElementsAre(HasSubstr("holds a character")));
  EXPECT_THAT(problems_of(std::string(33, 'a') + ": {command: x}"),
              ElementsAre(HasSubstr("has 33 characters")));
  EXPECT_THAT(problems_of("bash: {command: x}"),
              ElementsAre(HasSubstr("that of the built-in tool `bash`")));
  EXPECT_THAT(problems_of("File_System: {command: x}"),
              ElementsAre(HasSubstr("that of the built-in tool `file-system`")));
  EXPECT_THAT(problems(check_servers("      files: {command: x}\n      Fi1es: {command: y}\n")),
              ElementsAre(HasSubstr("that of the MCP server `files`")));
}

TEST(McpReader, RefusesTheNameOfADeclaredToolAndOfAServerElsewhere) {
  const std::string tool =
      "---\napiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: notes}\n"
      "spec: {entry: ./n.js, exports: [{name: add}]}\n";
  const std::string other =
      "---\napiVersion: goondan.ai/v1\nkind: Extension\nmetadata: {name: more}\n"
      "spec: {mcp: {servers: {WEB: {command: x}}}}\n";
  const BundleReport report = test::check_yaml(
      std::string(kHead) + "      notes: {command: x}\n      web: {command: y}\n" + tool + other,
      {"n.js"});
  EXPECT_THAT(problems(report), ElementsAre(HasSubstr("7 the name of the MCP server `notes`"),
                                            HasSubstr("that of the MCP server `web`")));
}

TEST(McpReader, WarnsOfSecretsInPlainAndOfTextsThatAreNotReplaced) {
  EXPECT_THAT(problems_of("a: {url: 'https://x', headers: {authorization: Bearer abc}}"),
              ElementsAre("?7 `authorization` looks like a secret and stands here in plain"));
  EXPECT_THAT(problems_of("a: {command: x, env: {GITHUB_TOKEN: abc, KEYBOARD: de}}"),
              ElementsAre("?7 `GITHUB_TOKEN` looks like a secret and stands here in plain"));
  EXPECT_THAT(problems_of("a: {url: 'https://x', headers: {Authorization: 'Bearer ${T}'}}"),
              ElementsAre("?7 `${` inside of a text is not replaced by anything"));
}

TEST(McpReader, RefusesNamesAndValuesThatCannotBeSent) {
  EXPECT_THAT(problems_of("a: {command: x, env: {'A B': c}}"),
              ElementsAre("7 `A B` is not the name of a variable"));
  EXPECT_THAT(problems_of("a: {url: 'https://x', headers: {'A B': c}}"),
              ElementsAre("7 `A B` is not the name of a header"));
  EXPECT_THAT(problems_of("a: {url: 'https://x', headers: {Mcp-Session-Id: c, Host: d}}"),
              ElementsAre("7 the header `Mcp-Session-Id` is the protocol's own",
                          "7 the header `Host` is the protocol's own"));
  EXPECT_THAT(problems_of("a: {url: 'https://x', headers: {X: \"a\\r\\nY: b\"}}"),
              ElementsAre("7 `X` holds a control character"));
  EXPECT_THAT(problems_of("a: {command: x, env: {A: }}"),
              ElementsAre(HasSubstr("must be text or a value source")));
  EXPECT_THAT(problems_of("a: {command: x, env: {A: {valuFrom: 1}}}"),
              ElementsAre(HasSubstr("neither `value` nor `valueFrom`")));
}

TEST(McpReader, AFieldNobodyKnowsIsAnError) {
  EXPECT_THAT(problems_of("a: {command: x, trsut: approved}"),
              ElementsAre("7 the field `trsut` is not known here"));
  EXPECT_THAT(problems_of("a: {command: x, trust: never}"),
              ElementsAre("7 `trust` must be `firstUse`, `approved` or `always`"));
  EXPECT_THAT(problems_of("a: {command: x, startTimeoutMs: 0}"),
              ElementsAre(HasSubstr("must be a whole number")));
}

TEST(ExtensionReader, ReadsWhereNativeCodeRuns) {
  const std::string head =
      "apiVersion: goondan.ai/v1\nkind: Extension\nmetadata: {name: x}\nspec: {entry: ./x.so";
  EXPECT_EQ(test::check_yaml(head + "}\n", {"x.so"}).bundle->extensions().at(0).isolation,
            Isolation::Worker);
  EXPECT_EQ(test::check_yaml(head + ", isolation: inProcess}\n", {"x.so"})
                .bundle->extensions()
                .at(0)
                .isolation,
            Isolation::InProcess);
  EXPECT_THAT(problems(test::check_yaml(head + ", isolation: none}\n", {"x.so"})),
              ElementsAre(HasSubstr("`isolation` must be `worker` or `inProcess`")));
}

TEST(ExtensionReader, KnowsWhatCodeMayEndIn) {
  for (const std::string ending : {"so", "cc", "cpp", "cxx", "ts", "mts", "js", "mjs"}) {
    const std::string yaml =
        "apiVersion: goondan.ai/v1\nkind: Extension\nmetadata: {name: x}\nspec: {entry: ./x." +
        ending + "}\n";
    EXPECT_TRUE(test::check_yaml(yaml, {"x." + ending}).ok()) << ending;
  }
  EXPECT_THAT(problems(test::check_yaml("apiVersion: goondan.ai/v1\nkind: Extension\n"
                                        "metadata: {name: x}\nspec: {entry: ./x.py}\n",
                                        {"x.py"})),
              ElementsAre(HasSubstr("nothing is known about running `x.py`")));
}

}  // namespace
}  // namespace goondan
