// The kept cases for names, registry, executor, truncation and the order of the pipeline.
// REQ: NAME-1, NAME-2, CAT-1, CALL-1, CALL-3, CALL-4, CALL-5, CALL-6, MW-1, DEC-10
#include "support/vectors.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include <goondan/executor.h>

namespace goondan {
namespace {

using testing::load_vectors;
using testing::unexpected;

Json ok(Json output) {
  return {{"status", "ok"}, {"output", std::move(output)}};
}
Json failed(const Error& error) {
  return {{"status", "error"}, {"message", error.message}};
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.as_string().c_str();
  std::string out;
  for (std::int64_t i = 0; i < value.at("times").as_int64(); ++i) {
    out += value.at("repeat").as_string();
  }
  return out;
}

Json run_parse(const Json& input) {
  const auto name = ToolName::parse(input.at("name").as_string());
  if (!name) return ok({{"parsed", nullptr}});
  return ok({{"parsed", {{"resourceName", name->resource}, {"exportName", name->export_name}}}});
}

Json run_build(const Json& input) {
  const auto name =
      ToolName::build(input.at("resource").as_string(), input.at("export").as_string());
  return name.ok() ? ok({{"name", *name}}) : failed(name.error());
}

Json run_register(const Json& input) {
  ToolRegistry registry;
  for (const Json& name : input.at("names").as_array()) {
    const auto added = registry.add(
        {.item = {.name = name.as_string().c_str()},
         .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(nullptr)); }});
    if (!added.ok()) return failed(added.error());
  }
  JsonArray names;
  for (const auto& entry : ToolCatalog(registry).entries())
    names.emplace_back(entry->name());
  return ok({{"catalog", std::move(names)}});
}

Json run_truncate(const Json& input) {
  const auto limit = static_cast<std::size_t>(input.at("limit").as_int64());
  return ok({{"text", truncate_error_message(text_of(input.at("message")), limit)}});
}

std::string thrown_message(const JsonObject& thrown) {
  if (const Json* message = thrown.if_contains("message")) return message->as_string().c_str();
  const JsonArray& repeat = thrown.at("messageRepeat").as_array();
  return text_of({{"repeat", repeat.at(0)}, {"times", repeat.at(1)}});
}

// A handler as a vector describes it: `returns`, `throws` (an error with fields) or `throwsValue`.
Result<Json> play(const Json& script) {
  const JsonObject& object = script.as_object();
  if (const Json* value = object.if_contains("returns")) return *value;
  if (object.contains("throwsValue")) throw 42;  // anything that is not an exception object
  const JsonObject& thrown = object.at("throws").as_object();
  if (thrown.size() == 1) throw std::runtime_error(thrown_message(thrown));
  const auto field = [&thrown](const char* key) {
    const Json* value = thrown.if_contains(key);
    return value == nullptr ? std::string() : std::string(value->as_string());
  };
  return Error{.code = ErrorCode::Tool,
               .message = thrown_message(thrown),
               .suggestion = field("suggestion"),
               .help_url = field("helpUrl"),
               .custom_code = field("code"),
               .custom_name = field("name")};
}

ToolCatalog catalog_of(const Json& items) {
  ToolCatalog catalog;
  for (const Json& described : items.as_array()) {
    CatalogItem item{.name = described.at("name").as_string().c_str()};
    if (const Json* parameters = described.as_object().if_contains("parameters")) {
      item.parameters = *parameters;
    }
    catalog = catalog.with(std::move(item)).value();
  }
  return catalog;
}

Json run_executor(const Json& input, HandlerThread thread) {
  const JsonObject& object = input.as_object();
  const Json* limit = object.if_contains("errorMessageLimit");
  int calls = 0;
  ToolRegistry registry;
  for (const Json& name : object.at("registered").as_array()) {
    const auto added = registry.add(
        {.item = {.name = name.as_string().c_str()},
         .handler =
             [&](ToolContext&, const JsonObject&) {
               ++calls;
               return play(object.at("handler"));
             },
         .thread = thread,
         .error_message_limit = limit == nullptr ? kDefaultErrorMessageLimit
                                                 : static_cast<std::size_t>(limit->as_int64())});
    EXPECT_TRUE(added.ok());
  }
  const bool bypass = object.contains("allowRegistryBypass");
  const ToolExecutor executor(
      registry, {.registry_bypass = bypass ? RegistryBypass::Allow : RegistryBypass::Refuse});
  const ToolCall call{.id = "call_1",
                      .name = object.at("toolName").as_string().c_str(),
                      .input = object.at("args")};
  Json result = executor.run(catalog_of(object.at("catalog")), call).to_json();
  EXPECT_EQ(result.at("toolCallId").as_string(), "call_1");  // REQ: CALL-9
  result.as_object()["handlerCalls"] = calls;
  return result;
}

Json run_order(const Json& input) {
  using Names = std::vector<std::string>;
  using OrderPipeline = Pipeline<Names, int>;
  OrderPipeline pipeline;
  for (const Json& layer : input.at("middlewares").as_array()) {
    const std::string name = layer.at("name").as_string().c_str();
    const Json* priority = layer.as_object().if_contains("priority");
    pipeline.add(
        name,
        [name](Names& names, OrderPipeline::Next& next) {
          names.push_back(name + ":pre");
          const int result = next();
          names.push_back(name + ":post");
          return result;
        },
        priority == nullptr ? 0 : static_cast<int>(priority->as_int64()));
  }
  Names names;
  pipeline.run(
      names, [](Names& inner) { return inner.emplace_back("core"), 0; },
      [](Names&, const Error&) { return 1; });
  JsonArray order;
  for (const std::string& name : names)
    order.emplace_back(name);
  return ok({{"order", std::move(order)}});
}

Json run_vector(const std::string& tool, const Json& input, HandlerThread thread) {
  if (tool == "@naming.parse") return run_parse(input);
  if (tool == "@naming.build") return run_build(input);
  if (tool == "@registry.register") return run_register(input);
  if (tool == "@truncate") return run_truncate(input);
  if (tool == "@executor") return run_executor(input, thread);
  if (tool == "@pipeline.order") return run_order(input);
  return {{"status", "unknown vector kind"}};
}

TEST(ToolVectors, AllHoldOnEitherThread) {
  const std::vector<Json> vectors = load_vectors("tool.jsonl");
  EXPECT_EQ(vectors.size(), 45u);
  for (const Json& vector : vectors) {
    for (const HandlerThread thread : {HandlerThread::Own, HandlerThread::Caller}) {
      const Json got =
          run_vector(vector.at("tool").as_string().c_str(), vector.at("input"), thread);
      EXPECT_EQ(unexpected(vector.at("expect"), got), "") << vector.at("id").as_string();
    }
  }
}

}  // namespace
}  // namespace goondan
