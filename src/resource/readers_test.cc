#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resource/builtin_names.h"
#include "resource/test_bundle.h"

namespace goondan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kWhole =
    "apiVersion: goondan.ai/v1\n"
    "kind: Package\n"
    "metadata: {name: '@me/demo'}\n"
    "spec: {version: 1.2.3, description: d, access: restricted, registry: {url: https://r}}\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Model\n"
    "metadata: {name: main}\n"
    "spec:\n"
    "  provider: anthropic\n"
    "  model: some-model\n"
    "  apiKey: {valueFrom: {env: KEY}}\n"
    "  endpoint: https://e\n"
    "  options: {a: 1}\n"
    "  capabilities: {streaming: true, toolCalling: false}\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Agent\n"
    "metadata: {name: helper}\n"
    "spec:\n"
    "  modelConfig: {modelRef: Model/main, params: {temperature: 0.5}}\n"
    "  prompt: {system: Be brief.}\n"
    "  tools: [{ref: Tool/bash}, {kind: Tool, name: agents, package: '@goondan/base'}]\n"
    "  extensions: [Extension/log, {ref: Extension/servers, config: {level: 2}}]\n"
    "  requiredTools: [bash__exec]\n"
    "  policy:\n"
    "    http: {allow: ['127.0.0.1:8080', example.com]}\n"
    "    files: {roots: [{path: /data}, {path: /out, access: readWrite}]}\n"
    "    env: {pass: [GITHUB_TOKEN]}\n"
    "    tools: {timeoutMs: 60000, maxConcurrent: 8, maxResultBytes: 50000,"
    " allowRegistryBypass: false}\n"
    "    changesets: {allowed: {files: ['prompts/**', '*.yaml']}}\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Swarm\n"
    "metadata: {name: default}\n"
    "spec:\n"
    "  entryAgent: Agent/helper\n"
    "  agents: [{ref: Agent/helper}]\n"
    "  instanceKey: fixed\n"
    "  policy:\n"
    "    maxStepsPerTurn: 16\n"
    "    lifecycle: {ttlSeconds: 60, gcGraceSeconds: 5}\n"
    "    shutdown: {gracePeriodSeconds: 7}\n"
    "    http: {allow: [example.com]}\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Extension\n"
    "metadata: {name: log}\n"
    "spec: {entry: ./log.js, config: {x: 1}}\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Extension\n"
    "metadata: {name: servers}\n"
    "spec: {mcp: {servers: {a: {command: b}}}}\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Connector\n"
    "metadata: {name: chat}\n"
    "spec:\n"
    "  entry: ./chat.js\n"
    "  events: [{name: message, properties: {text: {type: string},"
    " thread: {type: string, optional: true}}}]\n"
    "---\n"
    "apiVersion: goondan.ai/v1\n"
    "kind: Connection\n"
    "metadata: {name: c}\n"
    "spec:\n"
    "  connectorRef: Connector/chat\n"
    "  swarmRef: Swarm/default\n"
    "  config: {port: {value: '80'}}\n"
    "  secrets: {token: {valueFrom: {secretRef: {ref: Secret/chat, key: bot}}}}\n"
    "  ingress:\n"
    "    rules:\n"
    "      - match: {event: message, properties: {count: 3, urgent: true}}\n"
    "        route: {agentRef: Agent/helper, instanceKeyProperty: thread,"
    " instanceKeyPrefix: 'chat:'}\n"
    "      - route: {instanceKey: all}\n";

Bundle whole() {
  BundleReport report = test::check_yaml(std::string(kWhole), {"log.js", "chat.js"});
  EXPECT_THAT(test::summary(report), IsEmpty());
  return *std::move(report.bundle);
}

TEST(Readers, ReadAPackage) {
  const Bundle bundle = whole();
  const PackageResource& package = *bundle.package();
  EXPECT_EQ(package.meta.name, "@me/demo");
  EXPECT_EQ(package.version, "1.2.3");
  EXPECT_EQ(package.access, "restricted");
  EXPECT_EQ(package.registry_url, "https://r");
  EXPECT_EQ(bundle.root(), "/bundle");
}

TEST(Readers, ReadAModel) {
  const Bundle bundle = whole();
  const ModelResource& model = bundle.models().front();
  EXPECT_EQ(model.provider, "anthropic");
  EXPECT_EQ(model.model, "some-model");
  EXPECT_EQ(model.api_key->env, "KEY");
  EXPECT_EQ(model.endpoint, "https://e");
  EXPECT_EQ(model.options.at("a"), Json(1));
  EXPECT_THAT(model.capabilities, ElementsAre(Pair("streaming", true), Pair("toolCalling", false)));
  EXPECT_EQ(model.meta.position.line, 6);
  EXPECT_EQ(model.meta.position.document_index, 1);
}

TEST(Readers, ReadAnAgent) {
  const Bundle bundle = whole();
  const AgentResource& agent = *bundle.find_agent("helper");
  EXPECT_EQ(agent.model->text(), "Model/main");
  EXPECT_EQ(agent.model_params.at("temperature"), Json(0.5));
  EXPECT_EQ(agent.system_prompt, "Be brief.");
  ASSERT_EQ(agent.tools.size(), 2);
  EXPECT_EQ(agent.tools[1].package, kBuiltinPackage);
  ASSERT_EQ(agent.extensions.size(), 2);
  EXPECT_EQ(agent.extensions[1].config.at("level"), Json(2));
  EXPECT_THAT(agent.required_tools, ElementsAre("bash__exec"));
  EXPECT_EQ(bundle.find_agent("nobody"), nullptr);
}

TEST(Readers, ReadWhatAnOperatorGrants) {
  const Bundle bundle = whole();
  const Policy& policy = bundle.agents().front().policy;
  EXPECT_THAT(policy.http_allow, ElementsAre("127.0.0.1:8080", "example.com"));
  ASSERT_EQ(policy.file_roots.size(), 2);
  EXPECT_EQ(policy.file_roots[0].access, Policy::FileRoot::Access::Read);
  EXPECT_EQ(policy.file_roots[1].access, Policy::FileRoot::Access::ReadWrite);
  EXPECT_THAT(policy.env_pass, ElementsAre("GITHUB_TOKEN"));
  EXPECT_EQ(policy.tool_timeout, std::chrono::seconds(60));
  EXPECT_EQ(policy.max_concurrent, 8);
  EXPECT_EQ(policy.max_result_bytes, 50000);
  EXPECT_EQ(policy.allow_registry_bypass, false);
  ASSERT_TRUE(policy.changesets);
  EXPECT_TRUE(policy.changesets->enabled);
  EXPECT_EQ(policy.changesets->allowed_files, (std::vector<std::string>{"prompts/**", "*.yaml"}));
}

// REQ: CHG-2
TEST(Readers, AListOfAllowedFilesThatHoldsNothingAllowsNone) {
  using Files = std::optional<std::vector<std::string>>;
  const auto allowed = [](const std::string& changesets) {
    const std::string text(kWhole);
    const std::string was = "{allowed: {files: ['prompts/**', '*.yaml']}}";
    return test::check_yaml(std::string(text).replace(text.find(was), was.size(), changesets),
                            {"log.js", "chat.js"});
  };
  for (const char* none :
       {"{allowed: {files: []}}", "{allowed: {files: }}", "{allowed: {}}", "{allowed: }"}) {
    const BundleReport report = allowed(none);
    ASSERT_TRUE(report.ok()) << none;
    EXPECT_EQ(report.bundle->agents().front().policy.changesets->allowed_files,
              Files(std::vector<std::string>{}))
        << none;
  }
  EXPECT_EQ(allowed("{enabled: true}").bundle->agents().front().policy.changesets->allowed_files,
            Files());
}

TEST(Readers, ReadASwarm) {
  const Bundle bundle = whole();
  const SwarmResource& swarm = bundle.swarms().front();
  EXPECT_EQ(swarm.entry_agent.text(), "Agent/helper");
  EXPECT_EQ(swarm.instance_key, "fixed");
  EXPECT_EQ(swarm.max_steps_per_turn, 16);
  EXPECT_EQ(swarm.ttl, std::chrono::seconds(60));
  EXPECT_EQ(swarm.gc_grace, std::chrono::seconds(5));
  EXPECT_EQ(swarm.shutdown_grace, std::chrono::seconds(7));
  EXPECT_THAT(swarm.policy.http_allow, ElementsAre("example.com"));
}

TEST(Readers, ReadExtensionsWithCodeAndWithServers) {
  const Bundle bundle = whole();
  ASSERT_EQ(bundle.extensions().size(), 2);
  EXPECT_EQ(bundle.extensions()[0].entry, "log.js");
  EXPECT_EQ(bundle.extensions()[0].config.at("x"), Json(1));
  EXPECT_EQ(bundle.extensions()[1].entry, "");
  ASSERT_EQ(bundle.extensions()[1].mcp_servers.size(), 1);
  EXPECT_EQ(bundle.extensions()[1].mcp_servers.front().name, "a");
  EXPECT_EQ(bundle.extensions()[1].mcp_servers.front().command, "b");
}

TEST(Readers, ReadConnectorsAndConnections) {
  const Bundle bundle = whole();
  const ConnectorResource::Event& event = bundle.connectors().front().events.front();
  EXPECT_EQ(event.name, "message");
  EXPECT_TRUE(event.properties.at("thread").optional);
  const ConnectionResource& connection = bundle.connections().front();
  EXPECT_EQ(connection.connector.text(), "Connector/chat");
  EXPECT_EQ(connection.swarm->text(), "Swarm/default");
  EXPECT_EQ(connection.config.at("port").value, "80");
  EXPECT_EQ(connection.secrets.at("token").secret_name, "chat");
  ASSERT_EQ(connection.rules.size(), 2);
  EXPECT_THAT(connection.rules[0].properties,
              ElementsAre(Pair("count", "3"), Pair("urgent", "true")));
  EXPECT_EQ(connection.rules[0].agent->name, "helper");
  EXPECT_EQ(connection.rules[0].instance_key_property, "thread");
  EXPECT_EQ(connection.rules[0].instance_key_prefix, "chat:");
  EXPECT_EQ(connection.rules[1].instance_key, "all");
}

TEST(Readers, UseDefaultsWhereNothingIsSaid) {
  const BundleReport report = test::check_yaml(
      "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: m}\nspec: {provider: "
      "scripted}\n---\n"
      "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: a}\n"
      "spec: {modelConfig: {modelRef: Model/m}}\n---\n"
      "apiVersion: goondan.ai/v1\nkind: Swarm\nmetadata: {name: s}\n"
      "spec: {entryAgent: Agent/a, agents: [Agent/a]}\n");
  ASSERT_TRUE(report.ok());
  const SwarmResource& swarm = report.bundle->swarms().front();
  EXPECT_EQ(swarm.instance_key, "s");
  EXPECT_EQ(swarm.max_steps_per_turn, 32);
  EXPECT_EQ(swarm.shutdown_grace, std::chrono::seconds(30));
  EXPECT_EQ(swarm.ttl, std::nullopt);
  EXPECT_EQ(report.bundle->models().front().api_key, std::nullopt);
  EXPECT_EQ(report.bundle->package(), std::nullopt);
}

// REQ: RES-3
TEST(Readers, MergeReferencesToOneToolAtTheFirstPlaceWithTheLastContent) {
  const BundleReport report = test::check_yaml(
      "apiVersion: goondan.ai/v1\nkind: Model\nmetadata: {name: m}\nspec: {provider: "
      "scripted}\n---\n"
      "apiVersion: goondan.ai/v1\nkind: Agent\nmetadata: {name: a}\n"
      "spec:\n"
      "  modelConfig: {modelRef: Model/m}\n"
      "  tools: [Tool/bash, Tool/slack, {kind: Tool, name: bash, package: '@goondan/base'}]\n");
  ASSERT_TRUE(report.ok());
  const std::vector<ObjectRef>& tools = report.bundle->agents().front().tools;
  ASSERT_EQ(tools.size(), 2);
  EXPECT_EQ(tools[0].name, "bash");
  EXPECT_EQ(tools[0].package, "@goondan/base");
  EXPECT_EQ(tools[1].name, "slack");
}

// REQ: DEC-1
TEST(Readers, AcceptTheShapesOfTheFirstDialect) {
  const BundleReport report = test::check_yaml(
      "apiVersion: agents.example.io/v1alpha1\nkind: Model\nmetadata: {name: m}\n"
      "spec: {provider: openai, name: some-model}\n---\n"
      "apiVersion: agents.example.io/v1alpha1\nkind: Agent\nmetadata: {name: planner}\n"
      "spec:\n"
      "  modelConfig: {modelRef: {kind: Model, name: m}, params: {temperature: 0.2}}\n"
      "  prompts: {system: plan}\n"
      "  tools: [{kind: Tool, name: bash}]\n"
      "  hooks: []\n"
      "  changesets: {allowed: {files: ['**']}}\n"
      "---\n"
      "apiVersion: agents.example.io/v1alpha1\nkind: Swarm\nmetadata: {name: default}\n"
      "spec:\n"
      "  entrypoint: {kind: Agent, name: planner}\n"
      "  agents: [{kind: Agent, name: planner}]\n"
      "  policy: {maxStepsPerTurn: 8, queueMode: serial, changesets: {enabled: true}}\n");
  EXPECT_THAT(test::summary(report), IsEmpty());
  EXPECT_EQ(report.bundle->models().front().model, "some-model");
  EXPECT_EQ(report.bundle->agents().front().system_prompt, "plan");
  EXPECT_EQ(report.bundle->swarms().front().entry_agent.name, "planner");
  EXPECT_EQ(report.bundle->agents()
                .front()
                .meta.document.at("spec")
                .at("changesets")
                .at("allowed")
                .at("files")
                .at(0),
            Json("**"));
  const Policy& policy = report.bundle->agents().front().policy;
  EXPECT_EQ(policy.changesets->allowed_files, std::vector<std::string>{"**"});
  EXPECT_FALSE(report.bundle->swarms().front().policy.changesets->allowed_files);
}

// REQ: CHG-1
TEST(Readers, RefuseAWrongPolicyForChangesets) {
  const BundleReport report = test::check_yaml(
      "apiVersion: agents.example.io/v1alpha1\nkind: Agent\nmetadata: {name: a}\n"
      "spec:\n"
      "  policy:\n"
      "    changesets: {enabled: perhaps, alowed: {}}\n"
      "  changesets:\n"
      "    allowed: {files: ['/etc/*', '../x', 'a/../b', '', 'a..b/*'], file: x}\n");
  EXPECT_THAT(test::summary(report),
              ElementsAre("?E_CONFIG_SWARM_MISSING 0:0", "E_CONFIG_SCHEMA_INVALID 6:27",
                          "E_CONFIG_UNKNOWN_FIELD 6:36", "E_CONFIG_SCHEMA_INVALID 7:3",
                          "E_CONFIG_SCHEMA_INVALID 8:23", "E_CONFIG_SCHEMA_INVALID 8:33",
                          "E_CONFIG_SCHEMA_INVALID 8:41", "E_CONFIG_SCHEMA_INVALID 8:51",
                          "E_CONFIG_UNKNOWN_FIELD 8:66"));
}

// REQ: DEC-12
TEST(Readers, FindEveryBuiltinToolByItsShortName) {
  std::string tools;
  for (const std::string_view name : kBuiltinTools)
    tools += "Tool/" + std::string(name) + ", ";
  const BundleReport report = test::check_yaml(
      "apiVersion: agents.example.io/v1alpha1\nkind: Agent\nmetadata: {name: a}\n"
      "spec: {tools: [" +
      tools + "]}\n");
  EXPECT_THAT(test::summary(report), ElementsAre("?E_CONFIG_SWARM_MISSING 0:0"));
}

TEST(Readers, GiveThePathOfEveryProblem) {
  const BundleReport report = test::check_yaml(
      "a: 1\n---\n# empty\n---\n"
      "apiVersion: goondan.ai/v1\nkind: Tool\nmetadata: {name: t, 'odd key': 1}\n"
      "spec: {entry: t.js, exports: [{name: x}, {name: x}]}\n",
      {"t.js"});
  std::vector<std::string> paths;
  for (const Diagnostic& diagnostic : report.diagnostics)
    paths.push_back(diagnostic.path);
  EXPECT_THAT(paths,
              ElementsAre("goondan.yaml", "goondan.yaml#0", "goondan.yaml#1.metadata[\"odd key\"]",
                          "goondan.yaml#1.spec.exports[1].name"));
}

TEST(KindName, NamesEveryKind) {
  EXPECT_EQ(kind_name(Kind::Package), "Package");
  EXPECT_EQ(kind_name(Kind::Tool), "Tool");
  EXPECT_EQ(kind_name(Kind::OAuthApp), "OAuthApp");
}

}  // namespace
}  // namespace goondan
