// The typed contents of a bundle: one struct for each kind of resource. Values, already checked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan {

enum class Dialect { V1, V1Alpha1 };  // goondan.ai/v1, agents.example.io/v1alpha1

enum class Kind { Package, Model, Agent, Swarm, Tool, Extension, Connector, Connection, OAuthApp };

std::string_view kind_name(Kind kind);

// `"Kind/name"` or `{kind, name, package?, apiVersion?}`; either may stand behind `ref:`.
struct ObjectRef {
  std::string kind;
  std::string name;
  std::string package = {};
  std::string api_version = {};

  static Result<ObjectRef> parse(const Json& value);
  [[nodiscard]] std::string text() const { return kind + "/" + name; }
  friend bool operator==(const ObjectRef&, const ObjectRef&) = default;
};

// `{value}`, `{valueFrom: {env}}` or `{valueFrom: {secretRef: {ref: "Secret/<name>", key}}}`.
struct ValueSource {
  std::optional<std::string> value = {};
  std::optional<std::string> env = {};
  std::optional<std::string> secret_name = {};
  std::string secret_key = {};

  enum class Required { No, Yes };
  using Environment = std::map<std::string, std::string, std::less<>>;

  static Result<ValueSource> parse(const Json& value);

  // The text behind the source. A missing variable is an error if required, nothing if not.
  // `field` is the name of the field that holds the source; secrets are searched under it too.
  [[nodiscard]] Result<std::optional<std::string>> resolve(const Environment& environment,
                                                           Required required,
                                                           std::string_view field = {}) const;
};

struct SourcePosition {
  std::string file = {};           // relative to the bundle, `/` between parts
  std::size_t document_index = 0;  // 0-based, empty documents not counted
  std::size_t line = 0;            // 1-based; 0: not known
  std::size_t column = 0;          // 1-based, in code points
};

struct ResourceMeta {
  Dialect dialect = Dialect::V1;
  Kind kind = Kind::Tool;
  std::string name = {};
  std::map<std::string, std::string> labels = {};
  std::map<std::string, std::string> annotations = {};
  SourcePosition position = {};
  Json document = nullptr;  // the whole document as JSON, for those who need the original
};

struct PackageResource {
  ResourceMeta meta;
  std::string version = {};
  std::string description = {};
  std::string access = "public";
  std::vector<std::pair<std::string, std::string>> dependencies = {};  // name, version
  std::string registry_url = {};
};

struct ModelResource {
  ResourceMeta meta;
  std::string provider = {};
  std::string model = {};
  std::optional<ValueSource> api_key = {};
  std::string endpoint = {};
  JsonObject options = {};
  std::map<std::string, bool> capabilities = {};
};

// Which changes agents may make to their own bundle. See `docs/changesets.md`.
struct ChangesetPolicy {
  bool enabled = true;
  std::optional<std::vector<std::string>> allowed_files = {};  // patterns; none: every file
};

// What an operator grants; the safe default where nothing is said. See `docs/security.md`.
struct Policy {
  struct FileRoot {
    std::string path = {};
    enum class Access { Read, ReadWrite } access = Access::Read;
  };

  std::vector<std::string> http_allow = {};
  std::vector<FileRoot> file_roots = {};
  std::vector<std::string> env_pass = {};
  std::optional<std::chrono::milliseconds> tool_timeout = {};
  std::optional<std::size_t> max_concurrent = {};
  std::optional<std::size_t> max_result_bytes = {};
  std::optional<bool> allow_registry_bypass = {};
  std::optional<ChangesetPolicy> changesets = {};
};

struct ExtensionUse {
  ObjectRef ref;
  JsonObject config = {};
};

struct AgentResource {
  ResourceMeta meta;
  std::optional<ObjectRef> model = {};  // the first dialect may leave it to the swarm
  JsonObject model_params = {};
  std::optional<std::string> system_prompt = {};
  std::optional<std::string> system_ref = {};  // a file inside the bundle
  std::vector<ObjectRef> tools = {};           // one for each identity, the last one's content
  std::vector<ExtensionUse> extensions = {};
  std::vector<std::string> required_tools = {};
  Policy policy = {};
};

inline constexpr std::size_t kDefaultMaxStepsPerTurn = 32;
inline constexpr std::chrono::seconds kDefaultShutdownGrace{30};

struct SwarmResource {
  ResourceMeta meta;
  ObjectRef entry_agent = {};
  std::vector<ObjectRef> agents = {};
  std::string instance_key = {};  // defaults to the swarm's name
  std::size_t max_steps_per_turn = kDefaultMaxStepsPerTurn;
  std::chrono::seconds shutdown_grace = kDefaultShutdownGrace;
  std::optional<std::chrono::seconds> ttl = {};
  std::optional<std::chrono::seconds> gc_grace = {};
  Policy policy = {};
};

struct ToolExport {
  std::string name;
  std::optional<std::string> description = {};
  std::optional<Json> parameters = {};
  std::vector<std::string> scopes = {};  // first dialect
  bool idempotent = false;               // may run again if a crash left it unknown whether it ran
};

struct ToolAuth {
  ObjectRef oauth_app;
  std::vector<std::string> scopes = {};
};

// Where a native plugin runs: in a process of its own, or in ours.
enum class Isolation { Worker, InProcess };

struct ToolResource {
  ResourceMeta meta;
  std::string entry = {};  // relative to the bundle
  std::size_t error_message_limit = kDefaultErrorMessageLimit;
  Isolation isolation = Isolation::Worker;
  std::vector<ToolExport> exports = {};
  std::optional<ToolAuth> auth = {};  // first dialect

  // The name a model sees: `<tool>__<export>`, or the export's own name in the first dialect.
  [[nodiscard]] std::string visible_name(const ToolExport& exported) const;
};

// A server of the Model Context Protocol: a program to start, or an address.
struct McpServerResource {
  // When the definition of a tool is believed.
  enum class Trust {
    FirstUse,  // it is pinned when it is first seen, and disabled if it changes
    Approved,  // like it, and a tool is disabled until `gdn mcp approve` has accepted it
    Always,    // nothing is pinned
  };
  // What a server that does not come up means for its agent.
  enum class Need { Optional, Required };

  std::string name = {};
  std::string command = {};  // empty: `url` is set
  std::vector<std::string> args = {};
  std::map<std::string, ValueSource> env = {};  // added to a minimal environment
  std::string folder = {};                      // `cwd`, relative to the bundle; empty: the bundle
  std::string url = {};
  std::map<std::string, ValueSource> headers = {};
  std::optional<std::vector<std::string>> only_tools = {};  // `tools`; none: all that it has
  Trust trust = Trust::FirstUse;
  Need need = Need::Optional;
  std::optional<std::chrono::milliseconds> start_timeout = {};
};

struct ExtensionResource {
  ResourceMeta meta;
  std::string entry = {};  // empty if the extension is made of MCP servers only
  JsonObject config = {};
  Isolation isolation = Isolation::Worker;  // of native code
  std::vector<McpServerResource> mcp_servers = {};
};

struct ConnectorResource {
  struct Property {
    std::string type;
    bool optional = false;
  };
  struct Event {
    std::string name;
    std::map<std::string, Property> properties = {};
  };

  ResourceMeta meta;
  std::string entry = {};
  std::vector<Event> events = {};
};

struct ConnectionResource {
  struct Rule {
    std::optional<std::string> event = {};
    std::map<std::string, std::string> properties = {};
    std::optional<ObjectRef> agent = {};
    std::optional<std::string> instance_key = {};
    std::optional<std::string> instance_key_property = {};
    std::string instance_key_prefix = {};
  };

  ResourceMeta meta;
  ObjectRef connector = {};
  std::optional<ObjectRef> swarm = {};
  std::map<std::string, ValueSource> config = {};
  std::map<std::string, ValueSource> secrets = {};
  std::vector<Rule> rules = {};
};

struct OAuthAppResource {
  enum class Flow { AuthorizationCode, DeviceCode };
  enum class SubjectMode { Global, User };

  ResourceMeta meta;
  std::string provider = {};
  Flow flow = Flow::AuthorizationCode;
  SubjectMode subject_mode = SubjectMode::Global;
  ValueSource client_id = {};
  std::optional<ValueSource> client_secret = {};
  std::string issuer = {};                            // empty: not known
  std::map<std::string, std::string> endpoints = {};  // by field: `tokenUrl`, ...
  std::vector<std::string> scopes = {};
  std::string callback_path = {};   // empty: `/oauth/callback/<name>`
  std::string base_url = {};        // empty: loopback
  std::uint16_t redirect_port = 0;  // 0: that of `base_url`, or a free one
  std::string resource = {};        // RFC 8707; empty: none
  JsonObject options = {};
};

}  // namespace goondan
