// What went wrong, in a form that a person, a program and a model can each use.
//
// Every failure in the library is an `Error` value: a code that programs compare, a message that
// names the thing and the value that was wrong, and a suggestion that says the next step. Codes
// have a stable spelling on the wire (`E_TOOL_TIMEOUT`); `gdn explain CODE` prints more about each.
// Values; header-only, so that plugins can use them without linking the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

// X(enumerator, wire code, error name). The name is what a model sees as the type of the error.
#define GDN_ERROR_CODES(X)                                                          \
  X(Tool, "E_TOOL", "Error")                                                        \
  X(ToolNotInCatalog, "E_TOOL_NOT_IN_CATALOG", "ToolNotInCatalogError")             \
  X(ToolNotFound, "E_TOOL_NOT_FOUND", "ToolNotFoundError")                          \
  X(ToolInvalidArgs, "E_TOOL_INVALID_ARGS", "ToolInputValidationError")             \
  X(ToolTimeout, "E_TOOL_TIMEOUT", "ToolTimeoutError")                              \
  X(ToolCancelled, "E_TOOL_CANCELLED", "ToolCancelledError")                        \
  X(ToolCrash, "E_TOOL_CRASH", "ToolCrashError")                                    \
  X(ToolBadReply, "E_TOOL_BAD_REPLY", "ToolBadReplyError")                          \
  X(ToolBusy, "E_TOOL_BUSY", "ToolBusyError")                                       \
  X(ToolInterrupted, "E_TOOL_INTERRUPTED", "ToolInterruptedError")                  \
  X(ToolInvalidName, "E_TOOL_INVALID_NAME", "ToolInvalidNameError")                 \
  X(ToolDuplicate, "E_TOOL_DUPLICATE", "ToolDuplicateError")                        \
  X(Middleware, "E_MIDDLEWARE", "MiddlewareError")                                  \
  X(MiddlewareNextTwice, "E_MIDDLEWARE_NEXT_TWICE", "MiddlewareError")              \
  X(MiddlewareNextMissing, "E_MIDDLEWARE_NEXT_MISSING", "MiddlewareError")          \
  X(PluginLoad, "E_PLUGIN_LOAD", "PluginLoadError")                                 \
  X(PluginArchitecture, "E_PLUGIN_ARCHITECTURE", "PluginLoadError")                 \
  X(PluginSymbolMissing, "E_PLUGIN_SYMBOL_MISSING", "PluginLoadError")              \
  X(PluginAbiVersion, "E_PLUGIN_ABI_VERSION", "PluginLoadError")                    \
  X(PluginHandlerMissing, "E_PLUGIN_HANDLER_MISSING", "PluginLoadError")            \
  X(PluginHandlerUndeclared, "E_PLUGIN_HANDLER_UNDECLARED", "PluginLoadError")      \
  X(PluginBuild, "E_PLUGIN_BUILD", "PluginBuildError")                              \
  X(ExtensionLoad, "E_EXT_LOAD", "ExtensionError")                                  \
  X(ExtensionInit, "E_EXT_INIT", "ExtensionError")                                  \
  X(ExtensionCrash, "E_EXT_CRASH", "ExtensionError")                                \
  X(LoopDetected, "E_LOOP_DETECTED", "LoopDetectedError")                           \
  X(Mcp, "E_MCP", "McpError")                                                       \
  X(McpServer, "E_MCP_SERVER", "McpError")                                          \
  X(McpTool, "E_MCP_TOOL", "McpToolError")                                          \
  X(McpToolChanged, "E_MCP_TOOL_CHANGED", "McpToolError")                           \
  X(HostUnavailable, "E_HOST_UNAVAILABLE", "HostUnavailableError")                  \
  X(RuntimeUnavailable, "E_RUNTIME_UNAVAILABLE", "RuntimeUnavailableError")         \
  X(AgentNotFound, "E_AGENT_NOT_FOUND", "AgentNotFoundError")                       \
  X(AgentCycle, "E_AGENT_CYCLE", "AgentCycleError")                                 \
  X(AgentTimeout, "E_AGENT_TIMEOUT", "AgentTimeoutError")                           \
  X(AgentCrash, "E_AGENT_CRASH", "AgentCrashError")                                 \
  X(AgentStart, "E_AGENT_START", "AgentStartError")                                 \
  X(AgentStopped, "E_AGENT_STOPPED", "AgentStoppedError")                           \
  X(TurnCancelled, "E_TURN_CANCELLED", "TurnCancelledError")                        \
  X(HandleNotFound, "E_HANDLE_NOT_FOUND", "HandleError")                            \
  X(HandleClosed, "E_HANDLE_CLOSED", "HandleError")                                 \
  X(HandleTaken, "E_HANDLE_TAKEN", "HandleError")                                   \
  X(Model, "E_MODEL", "ModelError")                                                 \
  X(ModelConfig, "E_MODEL_CONFIG", "ModelError")                                    \
  X(ModelAuth, "E_MODEL_AUTH", "ModelError")                                        \
  X(ModelRefused, "E_MODEL_REFUSED", "ModelError")                                  \
  X(ModelBusy, "E_MODEL_BUSY", "ModelError")                                        \
  X(ModelTimeout, "E_MODEL_TIMEOUT", "ModelError")                                  \
  X(ModelReply, "E_MODEL_REPLY", "ModelError")                                      \
  X(Script, "E_SCRIPT", "ScriptError")                                              \
  X(Store, "E_STORE", "StoreError")                                                 \
  X(StoreBusy, "E_STORE_BUSY", "StoreError")                                        \
  X(StoreFull, "E_STORE_FULL", "StoreError")                                        \
  X(StoreCorrupt, "E_STORE_CORRUPT", "StoreError")                                  \
  X(StoreVersion, "E_STORE_VERSION", "StoreError")                                  \
  X(StoreConflict, "E_STORE_CONFLICT", "StoreError")                                \
  X(StoreKey, "E_STORE_KEY", "StoreError")                                          \
  X(Ipc, "E_IPC", "IpcError")                                                       \
  X(AlreadyRunning, "E_ALREADY_RUNNING", "AlreadyRunningError")                     \
  X(NotRunning, "E_NOT_RUNNING", "NotRunningError")                                 \
  X(PathOutsideWorkspace, "E_PATH_OUTSIDE_WORKSPACE", "PathError")                  \
  X(PathReadOnly, "E_PATH_READ_ONLY", "PathError")                                  \
  X(PathInvalid, "E_PATH_INVALID", "PathError")                                     \
  X(UrlInvalid, "E_URL_INVALID", "UrlError")                                        \
  X(HostNotAllowed, "E_HOST_NOT_ALLOWED", "HostNotAllowedError")                    \
  X(Network, "E_NETWORK", "NetworkError")                                           \
  X(NetworkTimeout, "E_NETWORK_TIMEOUT", "NetworkError")                            \
  X(Tls, "E_TLS", "TlsError")                                                       \
  X(HttpResponse, "E_HTTP_RESPONSE", "HttpResponseError")                           \
  X(TokenMissing, "E_TOKEN_MISSING", "TokenError")                                  \
  X(TokenHost, "E_TOKEN_HOST", "TokenError")                                        \
  X(Service, "E_SERVICE", "ServiceError")                                           \
  X(OAuth, "E_OAUTH", "OAuthError")                                                 \
  X(Schema, "E_SCHEMA", "SchemaError")                                              \
  X(JsonParse, "E_JSON_PARSE", "JsonParseError")                                    \
  X(Config, "E_CONFIG", "ConfigError")                                              \
  X(ConfigParse, "E_CONFIG_PARSE_ERROR", "ConfigError")                             \
  X(ConfigFileNotFound, "E_CONFIG_FILE_NOT_FOUND", "ConfigError")                   \
  X(ConfigFileUnreadable, "E_CONFIG_FILE_UNREADABLE", "ConfigError")                \
  X(ConfigFileTooLarge, "E_CONFIG_FILE_TOO_LARGE", "ConfigError")                   \
  X(ConfigTooManyDocuments, "E_CONFIG_TOO_MANY_DOCUMENTS", "ConfigError")           \
  X(ConfigTooDeep, "E_CONFIG_TOO_DEEP", "ConfigError")                              \
  X(ConfigAliasLimit, "E_CONFIG_ALIAS_LIMIT", "ConfigError")                        \
  X(ConfigDuplicateKey, "E_CONFIG_DUPLICATE_KEY", "ConfigError")                    \
  X(ConfigUnsupportedApiVersion, "E_CONFIG_UNSUPPORTED_API_VERSION", "ConfigError") \
  X(ConfigUnknownKind, "E_CONFIG_UNKNOWN_KIND", "ConfigError")                      \
  X(ConfigKindMissing, "E_CONFIG_KIND_MISSING", "ConfigError")                      \
  X(ConfigUnknownField, "E_CONFIG_UNKNOWN_FIELD", "ConfigError")                    \
  X(ConfigRemovedField, "E_CONFIG_REMOVED_FIELD", "ConfigError")                    \
  X(ConfigInvalidName, "E_CONFIG_INVALID_NAME", "ConfigError")                      \
  X(ConfigNameStyle, "E_CONFIG_NAME_STYLE", "ConfigError")                          \
  X(ConfigNameTooLong, "E_CONFIG_NAME_TOO_LONG", "ConfigError")                     \
  X(ConfigDuplicateName, "E_CONFIG_DUPLICATE_NAME", "ConfigError")                  \
  X(ConfigPackageDocPosition, "E_CONFIG_PACKAGE_DOC_POSITION", "ConfigError")       \
  X(ConfigPackageDocDuplicated, "E_CONFIG_PACKAGE_DOC_DUPLICATED", "ConfigError")   \
  X(ConfigInvalidRef, "E_CONFIG_INVALID_REF", "ConfigError")                        \
  X(ConfigRefNotFound, "E_CONFIG_REF_NOT_FOUND", "ConfigError")                     \
  X(ConfigSchemaInvalid, "E_CONFIG_SCHEMA_INVALID", "ConfigError")                  \
  X(ConfigParametersInvalid, "E_CONFIG_PARAMETERS_INVALID", "ConfigError")          \
  X(ConfigEntryNotFound, "E_CONFIG_ENTRY_NOT_FOUND", "ConfigError")                 \
  X(ConfigEntryOutsideBundle, "E_CONFIG_ENTRY_OUTSIDE_BUNDLE", "ConfigError")       \
  X(ConfigScopeNotAllowed, "E_CONFIG_SCOPE_NOT_ALLOWED", "ConfigError")             \
  X(ConfigSwarmMissing, "E_CONFIG_SWARM_MISSING", "ConfigError")                    \
  X(ConfigAgentNotFound, "E_CONFIG_AGENT_NOT_FOUND", "ConfigError")                 \
  X(ConfigValueMissing, "E_CONFIG_VALUE_MISSING", "ConfigError")                    \
  X(ConfigExists, "E_CONFIG_EXISTS", "ConfigError")                                 \
  X(Usage, "E_USAGE", "UsageError")                                                 \
  X(NotFound, "E_NOT_FOUND", "NotFoundError")                                       \
  X(Io, "E_IO", "IoError")                                                          \
  X(Limit, "E_LIMIT", "LimitError")                                                 \
  X(Internal, "E_INTERNAL", "InternalError")

namespace goondan {

enum class ErrorCode : std::uint8_t {
#define GDN_ENUMERATOR(id, wire, name) id,
  GDN_ERROR_CODES(GDN_ENUMERATOR)
#undef GDN_ENUMERATOR
};

// The spelling of `code` in results, logs and on the wire, e.g. `E_TOOL_TIMEOUT`.
constexpr std::string_view wire_code(ErrorCode code) {
#define GDN_WIRE(id, wire, name) std::string_view(wire),
  constexpr std::array kWire{GDN_ERROR_CODES(GDN_WIRE)};
#undef GDN_WIRE
  return kWire[static_cast<std::size_t>(code)];
}

// The default type name of an error with this code, e.g. `ToolTimeoutError`.
constexpr std::string_view wire_name(ErrorCode code) {
#define GDN_NAME(id, wire, name) std::string_view(name),
  constexpr std::array kNames{GDN_ERROR_CODES(GDN_NAME)};
#undef GDN_NAME
  return kNames[static_cast<std::size_t>(code)];
}

// Messages that reach a model are cut to this many code points unless a tool says otherwise.
inline constexpr std::size_t kDefaultErrorMessageLimit = 1000;

struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;
  std::string suggestion = {};   // what to do next; may be empty
  std::string help_url = {};     // a page about it; may be empty
  std::string custom_code = {};  // a tool's own code (`E_CHANNEL_NOT_FOUND`); empty: that of `code`
  std::string custom_name = {};  // a tool's own type name; empty: that of `code`

  [[nodiscard]] std::string_view code_text() const {
    return custom_code.empty() ? wire_code(code) : std::string_view(custom_code);
  }

  [[nodiscard]] std::string_view name() const {
    return custom_name.empty() ? wire_name(code) : std::string_view(custom_name);
  }

  friend bool operator==(const Error&, const Error&) = default;
};

// A failure of a tool that the model should hear about, with no more specific code.
inline Error tool_error(std::string message, std::string suggestion = {}) {
  return {
      .code = ErrorCode::Tool, .message = std::move(message), .suggestion = std::move(suggestion)};
}

}  // namespace goondan
