#include "cli/explanations.h"

#include <array>
#include <cctype>

namespace goondan::cli {
namespace {

using enum ErrorCode;

constexpr std::array kExplanations = std::to_array<Explanation>({
    {Tool, "A tool ran and reported a failure without a code of its own.",
     "Read the message; it comes from the tool. Correct the input or the tool."},
    {ToolNotInCatalog,
     "The model called a tool that the current step does not offer. Only what is in the catalog "
     "may "
     "be called, even if the tool exists.",
     "Add the tool to the agent's spec.tools, check the spelling (<tool>__<export>), or see what "
     "is offered with `gdn tools`."},
    {ToolNotFound, "The tool is offered, but nothing in this process can run it.",
     "Check that the bundle declares the tool and that its entry loads: `gdn call <tool>` shows "
     "why."},
    {ToolInvalidArgs,
     "The arguments do not fit the export's parameters (a JSON Schema), or are not one JSON "
     "object. The handler was not called.",
     "Each problem is listed with its path. `gdn tools <tool>` shows the schema."},
    {ToolTimeout, "The call did not finish in time and was stopped.",
     "Ask for less at a time, or raise the limit: policy.tools.timeoutMs in the bundle, "
     "--timeout-ms on the command line."},
    {ToolCancelled, "The call was cancelled while it ran, or before it began.",
     "It may have done part of its work. Check before you call it again."},
    {ToolCrash,
     "The process that ran the tool died: a signal (SIGSEGV, SIGABRT ...) or a call of exit(). "
     "Only this call is affected; the next one gets a new process.",
     "Debug the plugin. Its standard error is shown; run it under a debugger with "
     "spec.isolation: inProcess."},
    {ToolBadReply, "The tool answered with something that is not a valid reply.",
     "A handler must answer exactly once with valid JSON; an asynchronous one with {__async: true, "
     "handle: \"<id>\"}."},
    {ToolBusy,
     "No further call can be started: earlier ones never returned, or the system gives "
     "no more threads or processes.",
     "Restart the program, and look at the tools that were reported as left running."},
    {ToolInterrupted,
     "The agent's process ended while this call ran, and what the call has done is not known. It "
     "was not run again, so that nothing happens twice.",
     "Check what it did, then call it again if needed. A tool that may safely run twice says so "
     "with exports[].idempotent: true."},
    {ToolInvalidName, "A tool cannot be registered under this name.",
     "Use <tool>__<export> with letters, digits, '_' and '-'; neither half contains '__'."},
    {ToolDuplicate, "Two owners tried to register the same tool name.",
     "Rename one of the two; the message names both owners."},
    {Middleware, "A middleware of an extension failed while a call went through it.",
     "Look at the extension named in the message. The tool may or may not have run."},
    {MiddlewareNextTwice, "A middleware called next() a second time. The tool ran once only.",
     "Call next() once and keep its result."},
    {MiddlewareNextMissing, "A middleware returned without calling next() and without answering.",
     "Call next(), or answer in its place explicitly: next.instead(result)."},
    {PluginLoad, "The shared library of a native tool could not be loaded.",
     "The message holds the loader's reason. Rebuild the plugin on this machine; `ldd` shows "
     "missing libraries."},
    {PluginArchitecture, "The plugin was built for another kind of processor.",
     "Build it for this machine; the message names both architectures."},
    {PluginSymbolMissing,
     "The shared library has no gdn_plugin_entry: it is not a goondan plugin, or the symbol is "
     "hidden.",
     "Include <goondan/plugin.h> and end the file with GDN_PLUGIN({\"name\", handler})."},
    {PluginAbiVersion, "The plugin was built against another version of the plugin interface.",
     "Rebuild it with the headers of the installed goondan."},
    {PluginHandlerMissing,
     "The bundle declares an export for which the plugin or module has no handler.",
     "Add the handler to GDN_PLUGIN(...), in a script to `handlers`, or remove the export from the "
     "tool's YAML."},
    {PluginHandlerUndeclared, "The plugin has a handler that the bundle does not declare.",
     "Add an export of that name to the tool's YAML, or remove the handler."},
    {PluginBuild, "A tool given as source could not be compiled.",
     "The message holds the first compiler errors. `gdn doctor` checks the compiler and headers."},
    {ExtensionLoad, "The code of an extension, or of a tool that is a script, could not be loaded.",
     "The message says what failed. The entry of an extension exports a function "
     "`register(api, config)`, that of a tool an object `handlers`."},
    {ExtensionInit, "The `register` function of an extension failed, so its agent does not start.",
     "Read the message; it comes from the extension. Correct the extension or its `config`."},
    {ExtensionCrash,
     "The process that runs an extension, or the scripts of an agent, ended in the middle of a "
     "call. It is started again for the next one, after a pause if it keeps ending.",
     "Look for what ends it in its code; its standard error is in `gdn logs`. What ran inside a "
     "layer stays done."},
    {LoopDetected, "The same call was made again and again with the same result.",
     "Change the arguments, use another tool, or answer with what is known. The limit is the "
     "`stopAt` of the extension loop-guard."},
    {Mcp, "An MCP server answered in a way that the protocol does not allow, or with an error.",
     "The message holds what the server said. `gdn mcp tools SERVER` shows whether it works at "
     "all."},
    {McpServer, "An MCP server could not be reached or started, or it ended.",
     "Try it by hand: `gdn mcp tools SERVER`. Check `command`, `args`, `env` or `url` in the "
     "bundle."},
    {McpTool, "A tool of an MCP server reported a failure.",
     "Read the message; it comes from the server. Correct the arguments."},
    {McpToolChanged,
     "The definition of an MCP tool is not the one that was pinned when it was first seen, so the "
     "tool is disabled.",
     "`gdn mcp approve SERVER` shows the change; with the name of the tool it accepts it."},
    {HostUnavailable,
     "What is needed to run this kind of tool or extension is not there, or its process keeps "
     "ending and is given a pause.",
     "The message says which. `gdn doctor` checks the machine."},
    {RuntimeUnavailable, "A tool asked for something that only a running agent can give.",
     "Call the tool from an agent, not on its own with `gdn call`."},
    {AgentNotFound, "No agent of this name belongs to the swarm that runs.",
     "`agents__catalog` lists the agents; add the missing one to the swarm's spec.agents."},
    {AgentCycle,
     "The agent that is asked already waits for the one that asks, directly or through others. "
     "The message shows the chain.",
     "Answer with what is known instead, or use agents__send, which waits for nothing."},
    {AgentTimeout, "The agent that was asked did not answer in time. It goes on working.",
     "Raise timeoutMs, or ask with async: true and go on."},
    {AgentCrash,
     "The process of the agent died several times at the same message, which was then "
     "given up.",
     "`gdn logs` shows how it ended. Its conversation is intact."},
    {AgentStart, "The agent could not be started.",
     "The message says why: a tool that does not load, a missing key, an unreadable prompt. The "
     "other agents go on."},
    {AgentStopped, "The runtime was stopped before the agent answered.",
     "Nothing is lost: what was accepted goes on with the next `gdn run`."},
    {TurnCancelled, "The turn was cancelled by the user.", "Send another message."},
    {HandleNotFound, "There is no pending result with this handle.",
     "`gdn handles` lists them; handles__list does so for an agent."},
    {HandleClosed, "The pending result has been completed or cancelled before.",
     "Nothing is to be done. A job that sees this can stop."},
    {HandleTaken, "A tool gave a handle that another agent's pending result has.",
     "Let the tool make its handles unique."},
    {Model, "The model's provider answered with an error.",
     "The message holds the provider's own words."},
    {ModelConfig, "The Model resource cannot be used as it is.",
     "Check spec.provider (openai, anthropic, scripted), spec.model, spec.endpoint and "
     "spec.apiKey."},
    {ModelAuth, "The provider refused the key.",
     "Check the variable that spec.apiKey names, and whether the key may use this model."},
    {ModelRefused, "The provider refused the request itself; sending it again would not help.",
     "The message holds the reason: an unknown model, a conversation that is too long, a parameter "
     "it does not take."},
    {ModelBusy, "The provider had no capacity or limited the rate, also after several tries.",
     "Wait and try again, or use another model."},
    {ModelTimeout, "The model did not answer, or stopped in the middle of its answer.",
     "Check the endpoint. Model.spec.options.timeoutMs and idleTimeoutMs set how long to wait."},
    {ModelReply, "What came from the provider is no answer: not its format, or cut off.",
     "Check that spec.endpoint speaks the protocol of spec.provider."},
    {Script, "The file of the scripted model has a mistake, or no reply in it fits.",
     "The message names the file and the place. docs/scripted-model.md describes the format."},
    {Store, "The database that holds the state could not be used.",
     "The message names the file and the reason."},
    {StoreBusy, "Another process holds the database.", "Wait for it to end; `gdn ps` lists them."},
    {StoreFull, "The disk is full; the step was not begun, and nothing is lost.",
     "Free some space and send the message again."},
    {StoreCorrupt, "The database of one instance is damaged. Other instances are not affected.",
     "`gdn instance delete` removes it, or put a copy in its place."},
    {StoreVersion, "The database was written by a newer version.",
     "Use that version, or another "
     "state root (GOONDAN_STATE_ROOT)."},
    {StoreConflict, "Another process changed the record after it was read; its change stands.",
     "Read the record again and repeat the step."},
    {StoreKey,
     "The key of the OAuth store is missing, is not the one that its records were sealed with, or "
     "can be read by others.",
     "The message names the file. Put the right key back, with mode 0600 and you as its owner; "
     "without it the folder `oauth` of the state root must be removed and every app authorized "
     "again."},
    {Ipc, "A process sent another something that is no message.",
     "This is a bug, or versions are mixed. Restart with `gdn restart`."},
    {AlreadyRunning, "This swarm is already running from the same state root.",
     "`gdn ps` shows it; use another GOONDAN_STATE_ROOT to run a second one."},
    {NotRunning, "No orchestrator runs for this swarm.", "Start it with `gdn run`."},
    {PathOutsideWorkspace,
     "A path leads out of the folders that file tools may use: the working folder and the roots "
     "the "
     "operator granted. `..` and links are followed before this is judged.",
     "Use a path below the working folder, or let the operator grant the folder: "
     "policy.files.roots in the bundle, --allow-root DIR[:rw] on the command line."},
    {PathReadOnly,
     "The path may be read but not written: its root was granted for reading only, or it belongs "
     "to "
     "the bundle itself, which its tools must not change.",
     "Write somewhere else, or let the operator grant the folder for writing: access: readWrite in "
     "policy.files.roots, --allow-root DIR:rw on the command line."},
    {PathInvalid, "A path cannot be used as one: it is empty, too long, or holds a NUL byte.",
     "Correct the path."},
    {UrlInvalid, "A text is not an http or https URL that can be requested safely.",
     "The message says what is wrong. Credentials in the URL, other schemes and ambiguous forms "
     "are refused."},
    {HostNotAllowed,
     "The request would reach an address that is not public (loopback, private network, cloud "
     "metadata ...), or a port that is not for the web. Redirects are judged in the same way.",
     "If it is meant, let the operator allow it: policy.http.allow in the bundle, --allow-host "
     "HOST:PORT on the command line."},
    {Network, "The other side could not be reached, or the connection broke.",
     "The message says at which step. Check the name and the network, then try again."},
    {NetworkTimeout, "The other side did not answer in time.",
     "Try again, or raise timeoutMs if the answer is known to take long."},
    {Tls,
     "No secure connection could be made: the certificate is not valid for this host, not "
     "trusted, or the two sides have no common protocol.",
     "Check the host name. The certificates of the system are used (package ca-certificates)."},
    {HttpResponse, "What the server sent is not a valid HTTP response, or is beyond a limit.",
     "The message says what is wrong. Ask the owner of the server."},
    {TokenMissing, "A service needs a token, and none is given or set.",
     "Set one of the environment variables that the message names."},
    {TokenHost,
     "A token from the environment would have gone to a host that is not the service's own.",
     "Let the operator allow the host (policy.http.allow, --allow-host HOST:PORT), or give the "
     "token for that host in the same call."},
    {Service, "A service was reached and refused the request.",
     "The message holds the service's own words and code."},
    {OAuth, "A tool needs a token of an outside service, and none could be had.",
     "The message says why. `gdn auth status` shows what is connected; a person may have to agree "
     "first, or the turn acts for nobody (`gdn run --subject`)."},
    {Schema, "Something that should be a JSON Schema (draft 2020-12) is not usable as one.",
     "The message names the place in the schema. References to other documents are never fetched; "
     "patterns cannot use lookaround or backreferences."},
    {JsonParse, "A text is not exactly one valid JSON value.",
     "The message names line and column. Duplicate keys and invalid UTF-8 are refused too."},
    {Config, "Something in the bundle is wrong.", "`gdn validate` shows every problem."},
    {ConfigParse, "A YAML file of the bundle cannot be read.",
     "The place is named. Typical: a tab as indentation, a missing quote, a half-written file."},
    {ConfigFileNotFound, "There is no bundle at this path.",
     "Give the folder that holds goondan.yaml, or make one with `gdn init`."},
    {ConfigFileUnreadable, "A file of the bundle cannot be opened.",
     "Check its permissions, and that it is a regular file."},
    {ConfigFileTooLarge, "A YAML file is larger than 1 MiB.",
     "Split the file; keep data out of the bundle's YAML."},
    {ConfigTooManyDocuments, "A YAML file holds more than 100 documents.",
     "Split it into several files."},
    {ConfigTooDeep, "A YAML document is nested too deeply.", "Flatten it."},
    {ConfigAliasLimit, "Anchors and aliases expand to too much.",
     "Write the repeated parts out, or use fewer aliases."},
    {ConfigDuplicateKey, "The same key stands twice in one mapping.",
     "Remove one of the two; the message names both lines."},
    {ConfigUnsupportedApiVersion, "The document's apiVersion is missing or unknown.",
     "Use goondan.ai/v1, or agents.example.io/v1alpha1 for the first dialect."},
    {ConfigUnknownKind, "The document's kind is unknown.",
     "Use one of Package, Model, Agent, Swarm, Tool, Extension, Connector, Connection, OAuthApp."},
    {ConfigKindMissing, "A document has no kind, or the bundle has no resource at all.",
     "Each document needs apiVersion, kind, metadata.name and spec."},
    {ConfigUnknownField, "A field is not known here, probably misspelt.",
     "The nearest known field is suggested. Unknown keys of a policy are errors, since a grant "
     "that "
     "is silently ignored would be worse."},
    {ConfigRemovedField, "The field belongs to the first dialect and has no effect any more.",
     "Remove it; the message says what replaced it."},
    {ConfigInvalidName, "A name is blank or has characters that are not allowed.",
     "Use letters, digits, '_' and '-'. Only tools of the first dialect and other kinds may also "
     "use '.'."},
    {ConfigNameStyle, "A name has upper-case letters, which the specification advises against.",
     "Prefer lower case. With --strict this is an error."},
    {ConfigNameTooLong,
     "The name that models see is longer than 64 characters, which providers refuse, or a "
     "resource's "
     "name is longer than 128.",
     "Shorten it."},
    {ConfigDuplicateName, "Two resources, or two tools of one agent, have the same name.",
     "Rename one of the two."},
    {ConfigPackageDocPosition, "A Package must be the first document of its file.",
     "Move it to the top of the file."},
    {ConfigPackageDocDuplicated, "There is more than one Package.", "Keep one."},
    {ConfigInvalidRef, "A reference is malformed or of the wrong kind.",
     "Write Kind/name, or {kind, name}; `ref:` may wrap either."},
    {ConfigRefNotFound, "A reference names a resource that does not exist.",
     "Check the spelling; the nearest existing name is suggested."},
    {ConfigSchemaInvalid, "A resource does not have the form its kind asks for.",
     "The message names the field and what is expected."},
    {ConfigParametersInvalid, "The parameters of an export are not a JSON Schema of type object.",
     "Write type: object with properties; the message names the place."},
    {ConfigEntryNotFound, "The entry file of a tool, extension or connector does not exist.",
     "spec.entry is relative to the bundle's folder. Build the plugin first, or name its source "
     "(.cc): gdn builds it by itself."},
    {ConfigEntryOutsideBundle, "An entry points out of the bundle's folder.",
     "Use a relative path inside the bundle; absolute paths, `..` and links that lead out are "
     "refused."},
    {ConfigScopeNotAllowed, "OAuth scopes are wider than what the app or the tool declares.",
     "An export's scopes must be among the tool's, the tool's among the OAuthApp's."},
    {ConfigSwarmMissing, "The bundle has no Swarm, so it cannot be run.",
     "Add a Swarm with entryAgent and agents. Tools can be called without one."},
    {ConfigAgentNotFound, "There is no agent of this name in the bundle.",
     "Check the spelling; the bundle's agents are listed."},
    {ConfigValueMissing, "A value that should come from the environment or a secret is not there.",
     "Set the variable that the message names."},
    {ConfigExists, "A file that would be written exists already.",
     "Use another folder, or --force to overwrite."},
    {Usage, "The command line is not understood.", "`gdn --help` and `gdn <command> --help`."},
    {NotFound, "Something that was asked for does not exist.", "Check the name in the message."},
    {Io, "Reading or writing failed.", "The message holds the system's reason."},
    {Limit, "A limit was reached.", "The message names the limit. Send less at a time."},
    {Internal, "A fault of goondan itself.", "Please report it with the message and the input."},
});

constexpr bool in_order() {
  for (std::size_t i = 0; i < kExplanations.size(); ++i) {
    if (kExplanations[i].code != static_cast<ErrorCode>(i)) return false;
  }
  return kExplanations.size() == static_cast<std::size_t>(Internal) + 1;
}
static_assert(in_order(), "one explanation for each code, in the order of the codes");

char upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return upper(x) == upper(y); });
}

}  // namespace

std::span<const Explanation> all_explanations() {
  return kExplanations;
}

const Explanation* find_explanation(std::string_view code) {
  for (const Explanation& explanation : kExplanations) {
    const std::string_view wire = wire_code(explanation.code);
    if (same_ignoring_case(code, wire) || same_ignoring_case(code, wire.substr(2))) {
      return &explanation;
    }
  }
  return nullptr;
}

}  // namespace goondan::cli
