// An extension that does what its config says: `{setup?, layers: [{kind, does, priority?}], tools:
// [names], listen?}`.
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include <goondan/extension.h>

namespace {

using goondan::ExtensionApi;
using goondan::Json;
using goondan::JsonArray;
using goondan::JsonObject;
using goondan::Layer;
using goondan::LogLevel;
using goondan::Result;

Result<Json> wraps(Layer& layer) {
  layer.metadata()["seen"] = true;
  Json outcome = GDN_TRY(layer.next());
  if (outcome.is_object()) outcome.get_object()["wrapped"] = layer.metadata();
  return outcome;
}

Result<Json> passes(Layer& layer) {
  return layer.next();
}

Result<Json> says_nothing_after_next(Layer& layer) {
  GDN_TRY(layer.next());
  return nullptr;
}

Result<Json> throws_exception(Layer&) {
  throw std::runtime_error("the layer is broken");
}

Result<Json> throws_number(Layer&) {
  throw 42;
}

Result<Json> throws_after_next(Layer& layer) {
  const Result<Json> outcome = layer.next();
  throw std::runtime_error(outcome.ok() ? "broken after next" : "next failed");
}

Result<Json> fails(Layer&) {
  return goondan::Error{.code = goondan::ErrorCode::Tool,
                        .message = "not today",
                        .suggestion = "Try tomorrow.",
                        .custom_code = "E_TODAY"};
}

Result<Json> never_calls_next(Layer&) {
  return nullptr;
}

Result<Json> answers_instead(Layer&) {
  return JsonObject{{"instead", true}};
}

Result<Json> calls_next_twice(Layer& layer) {
  GDN_TRY(layer.next());
  return layer.next();
}

Result<Json> aborts(Layer&) {
  std::abort();
}

Result<Json> exits(Layer&) {
  ::_exit(3);
}

Result<Json> hangs(Layer&) {
  while (true)
    ::pause();
}

Result<Json> waits_for_stop(Layer& layer) {
  while (!layer.stop().stop_requested())
    std::this_thread::yield();
  return "stopped";
}

Result<Json> asks(Layer& layer) {
  return layer.request("agents.request", JsonObject{{"target", "other"}});
}

Result<Json> shows_context(Layer& layer) {
  Json context = layer.context();
  GDN_TRY(layer.next());
  return context;
}

using Does = Result<Json> (*)(Layer&);
const std::map<std::string, Does> kDoes{{"wraps", wraps},
                                        {"passes", passes},
                                        {"saysNothingAfterNext", says_nothing_after_next},
                                        {"throws", throws_exception},
                                        {"throwsNumber", throws_number},
                                        {"throwsAfterNext", throws_after_next},
                                        {"fails", fails},
                                        {"neverCallsNext", never_calls_next},
                                        {"answersInstead", answers_instead},
                                        {"callsNextTwice", calls_next_twice},
                                        {"aborts", aborts},
                                        {"exits", exits},
                                        {"hangs", hangs},
                                        {"waitsForStop", waits_for_stop},
                                        {"asks", asks},
                                        {"showsContext", shows_context}};

std::string text_of(const JsonObject& object, std::string_view key) {
  const Json* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

Result<Json> changes_args(goondan::ToolCallLayer& call) {
  call.args()["by"] = call.tool_name() + "/" + call.tool_call_id();
  return call.next();
}

Result<Json> changes_catalog(goondan::StepLayer& step) {
  JsonArray& catalog = step.tool_catalog();
  catalog.erase(catalog.begin());
  catalog.front().as_object()["name"] = "renamed";
  return step.next();
}

// Every change once; what the layer then sees.
Result<Json> changes_messages(goondan::TurnLayer& turn) {
  GDN_TRY(turn.append(JsonObject{{"id", "new"}}));
  GDN_TRY(turn.replace("m1", JsonObject{{"id", "m1"}, {"data", "other"}}));
  GDN_TRY(turn.remove("m2"));
  JsonObject seen{{"changed", turn.messages()}};
  GDN_TRY(turn.truncate());
  seen["truncated"] = turn.messages();
  GDN_TRY(turn.next());
  return seen;
}

// Counts calls in its state, and tells the others.
Result<Json> counts(ExtensionApi& api, goondan::ToolCallLayer& call) {
  const Json state = api.state();
  const std::int64_t count = state.is_int64() ? state.get_int64() + 1 : 1;
  GDN_TRY(api.set_state(count));
  api.emit("counted", count);
  return call.next();
}

Result<Json> echo(goondan::ToolContext& context, const JsonObject& input) {
  context.log(LogLevel::Warn, "echoing");
  context.progress(1, 2, "half");
  return JsonObject{
      {"input", input}, {"toolCallId", context.tool_call_id()}, {"workdir", context.workdir()}};
}

Result<Json> asks_from_tool(goondan::ToolContext& context, const JsonObject& input) {
  if (input.contains("throw")) throw std::runtime_error("the tool is broken");
  return context.request("agents.request", input);
}

Result<void> add_tool(ExtensionApi& api, const std::string& name) {
  return api.register_tool(JsonObject{{"name", name}, {"description", "d"}},
                           name.ends_with("asks") ? asks_from_tool : echo);
}

void add_layer(ExtensionApi& api, const JsonObject& layer) {
  const std::string kind = text_of(layer, "kind");
  const std::string does = text_of(layer, "does");
  const Json* const given = layer.if_contains("priority");
  const int priority = given == nullptr ? 0 : static_cast<int>(given->get_int64());
  if (does == "changesArgs") return api.on_tool_call(changes_args, priority);
  if (does == "changesCatalog") return api.on_step(changes_catalog, priority);
  if (does == "changesMessages") return api.on_turn(changes_messages, priority);
  if (does == "counts") {
    return api.on_tool_call([&api](auto& call) { return counts(api, call); }, priority);
  }
  if (does == "registersTool") {
    return api.on_tool_call([&api](goondan::ToolCallLayer& call) -> Result<Json> {
      GDN_TRY(add_tool(api, "late__echo"));
      return call.next();
    });
  }
  const Does function = kDoes.at(does);
  if (kind == "toolCall") api.on_tool_call(function, priority);
  if (kind == "step") api.on_step(function, priority);
  if (kind == "turn") api.on_turn(function, priority);
}

// Uses the api from a thread of its own, long after the setup.
void work_in_background(ExtensionApi& api) {
  std::thread([&api] {
    api.log(LogLevel::Info, "in the background");
    const Result<void> added = add_tool(api, "background__echo");
    const Result<void> kept = api.set_state("from the background");
    api.emit("done", JsonObject{{"tool", added.ok()}, {"state", kept.ok()}});
  }).detach();
}

Result<void> setup(ExtensionApi& api, const JsonObject& config) {
  const std::string how = text_of(config, "setup");
  if (how == "fails") return goondan::tool_error("no key in the config", "Set `key`.");
  if (how == "throws") throw std::runtime_error("the setup is broken");
  if (how == "throwsNumber") throw 42;
  if (how == "aborts") std::abort();
  if (const Json* const layers = config.if_contains("layers")) {
    for (const Json& layer : layers->as_array())
      add_layer(api, layer.as_object());
  }
  if (const Json* const tools = config.if_contains("tools")) {
    for (const Json& tool : tools->as_array())
      GDN_TRY(add_tool(api, std::string(tool.as_string())));
  }
  api.log(LogLevel::Info, api.name() + " of " + text_of(api.agent(), "name") + " had " +
                              goondan::to_text(api.state()));
  api.on_event("ping", [&api](const Json& payload) {
    if (payload.is_null()) throw std::runtime_error("no payload");
    api.emit("pong", payload);
  });
  api.on_event("own", [&api](const Json&) { api.log(LogLevel::Debug, "heard my own"); });
  if (how == "emits") api.emit("own", nullptr);
  // Not from here: while the setup runs, what a thread says belongs to it.
  api.on_event("work", [&api](const Json&) { work_in_background(api); });
  return {};
}

}  // namespace

GDN_EXTENSION(setup)
