#include <gtest/gtest.h>

#include "mcp/header_params.h"
#include "mcp/input_requests.h"
#include "mcp/json_rpc.h"
#include "mcp/tool_list.h"

namespace goondan::mcp {
namespace {

JsonObject object(std::string_view text) {
  return parse_json(text).value().as_object();
}

std::string why_unusable(std::string_view definition) {
  const Result<ToolInfo> tool = read_tool(parse_json(definition).value(), MirrorArguments::Yes);
  return tool.ok() ? "" : tool.error().message;
}

TEST(ToolList, KeepsDefinitionsAsTheyAre) {
  const std::string text =
      R"({"name":"a","title":"A","description":"does","inputSchema":{"$schema":"x","type":"object",)"
      R"("$defs":{"b":{}}},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true},"x":1})";
  const ToolInfo tool = read_tool(parse_json(text).value(), MirrorArguments::No).value();
  EXPECT_EQ(to_text(tool.raw), text);
  EXPECT_EQ(to_text(tool.input_schema), R"({"$schema":"x","type":"object","$defs":{"b":{}}})");
  EXPECT_EQ(to_text(*tool.output_schema), R"({"type":"array"})");
  EXPECT_EQ(tool.title, "A");
  EXPECT_TRUE(tool.annotations.contains("readOnlyHint"));
}

TEST(ToolList, SaysWhyADefinitionIsNotUsable) {
  EXPECT_EQ(why_unusable("5"), "the definition is no object");
  EXPECT_EQ(why_unusable(R"({"inputSchema":{}})"), "it has no name");
  EXPECT_EQ(why_unusable(R"({"name":5,"inputSchema":{}})"), "it has no name");
  EXPECT_EQ(why_unusable(R"({"name":"a"})"), "its `inputSchema` is no object");
  EXPECT_EQ(why_unusable(R"({"name":"a","inputSchema":true})"), "its `inputSchema` is no object");
  EXPECT_EQ(why_unusable(R"({"name":"a","inputSchema":{"type":"string"}})"),
            "its `inputSchema` is not of the type 'object'");
  EXPECT_NE(why_unusable(R"({"name":")" + std::string(300, 'n') + R"(","inputSchema":{}})"), "");
  EXPECT_EQ(why_unusable(R"({"name":"a","inputSchema":{"type":"object"},"outputSchema":5})"), "");
}

TEST(ToolList, DropsBadToolsAndKeepsTheOthers) {
  const AskPage ask = [](const JsonObject&) -> Result<JsonObject> {
    return object(R"({"tools":[{"name":"a","inputSchema":{}},{"name":"c"},7,
                     {"name":"b","inputSchema":{}}],"nextCursor":null})");
  };
  const ToolList list = read_tools(ask, MirrorArguments::No).value();
  EXPECT_EQ(list.tools.size(), 2u);
  ASSERT_EQ(list.dropped.size(), 2u);
  EXPECT_EQ(list.dropped[0], "'c': its `inputSchema` is no object");
}

TEST(ToolList, HasALimit) {
  JsonArray tools(200, Json(JsonObject{{"inputSchema", JsonObject{}}}));
  int page = 0;
  const AskPage ask = [&](const JsonObject&) -> Result<JsonObject> {
    return JsonObject{{"tools", tools}, {"nextCursor", std::to_string(++page)}};
  };
  EXPECT_EQ(read_tools(ask, MirrorArguments::No).error().code, ErrorCode::Limit);
}

Result<std::vector<HeaderParam>> marks(std::string_view schema) {
  return header_params(object(schema));
}

TEST(HeaderParams, MirrorsMarkedArguments) {
  const JsonObject schema = object(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "count":{"type":"integer","x-mcp-header":"Count"},
      "dry":{"type":"boolean","x-mcp-header":"Dry"},
      "x-mcp-header":{"type":"string","default":{"x-mcp-header":5}},
      "in":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}}}})");
  const std::vector<HeaderParam> params = header_params(schema).value();
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(param_headers(params, object(R"({"region":"eu west","count":42.0,"dry":false,
                                             "in":{"deep":" 서울"}})")),
            (Pairs{{"Mcp-Param-Region", "eu west"},
                   {"Mcp-Param-Count", "42"},
                   {"Mcp-Param-Dry", "false"},
                   {"Mcp-Param-Deep", "=?base64?IOyEnOyauA==?="}}));
  EXPECT_EQ(param_headers(params, object(R"({"region":null,"in":5,"count":[1],"other":"x"})")),
            Pairs{});
  EXPECT_EQ(param_headers(params, object(R"({"region":"a\r\nb","count":1.5})")),
            (Pairs{{"Mcp-Param-Region", "=?base64?YQ0KYg==?="}}));
}

TEST(HeaderParams, RefusesMarksThatAreNotAllowed) {
  for (const char* bad : {
           R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})",
           R"({"properties":{"a":{"type":"string","x-mcp-header":5}}})",
           R"({"properties":{"a":{"type":"string","x-mcp-header":"a b"}}})",
           R"({"properties":{"a":{"type":"string","x-mcp-header":"a:b"}}})",
           R"({"properties":{"a":{"type":"string","x-mcp-header":"é"}}})",
           R"({"properties":{"a":{"type":"number","x-mcp-header":"A"}}})",
           R"({"properties":{"a":{"type":"object","x-mcp-header":"A"}}})",
           R"({"properties":{"a":{"type":["string"],"x-mcp-header":"A"}}})",
           R"({"properties":{"a":{"x-mcp-header":"A"}}})",
           R"({"properties":{"a":{"type":"string","x-mcp-header":"A"},
                             "b":{"type":"string","x-mcp-header":"a"}}})",
           R"({"type":"string","x-mcp-header":"A"})",
           R"({"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}})",
           R"({"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]})",
           R"({"$defs":{"a":{"type":"string","x-mcp-header":"A"}}})",
           R"({"items":[{"type":"string","x-mcp-header":"A"}]})",
       }) {
    EXPECT_FALSE(marks(bad).ok()) << bad;
  }
  EXPECT_TRUE(marks(R"({"enum":[{"x-mcp-header":"A"}],"properties":{"a":true}})").ok());
}

TEST(InputRequests, DeclaresWhatThereIs) {
  EXPECT_EQ(to_text(Json(declared_capabilities({}, Era::Modern))), "{}");
  const Services services{.roots = {"/a"},
                          .elicit = [](const Json&) -> Result<Json> { return JsonObject{}; },
                          .sample = [](const Json&) -> Result<Json> { return JsonObject{}; }};
  EXPECT_EQ(to_text(Json(declared_capabilities(services, Era::Modern))),
            R"({"roots":{},"sampling":{},"elicitation":{"form":{}}})");
}

TEST(InputRequests, AnswersOnlyWhatWasDeclared) {
  const Services services{.roots = {"/a b/100%?#/다"}, .elicit = [](const Json&) -> Result<Json> {
                            return Error{.code = ErrorCode::Tool, .message = "nobody is there"};
                          }};
  EXPECT_EQ(to_text(answer_input(services, "roots/list", nullptr).result),
            R"({"roots":[{"uri":"file:///a%20b/100%25%3F%23/%EB%8B%A4","name":"다"}]})");
  EXPECT_EQ(answer_input(services, "sampling/createMessage", nullptr).error, kMethodNotFound);
  EXPECT_EQ(answer_input({}, "elicitation/create", nullptr).error, kMethodNotFound);
  EXPECT_EQ(answer_input({}, "roots/list", nullptr).error, kMethodNotFound);
  EXPECT_EQ(answer_input(services, "elicitation/create", nullptr).problem, "nobody is there");
  EXPECT_EQ(answer_input(services, "elicitation/create", JsonObject{{"mode", "url"}}).error,
            kInvalidParams);
}

TEST(InputRequests, RepeatsTheRequestWithExactlyTheLatestState) {
  const Services services{.roots = {"/a"}};
  const JsonObject params = object(R"({"name":"x","requestState":"old","inputResponses":{"a":1}})");
  EXPECT_EQ(
      to_text(Json(params_with_inputs(services, params,
                                      object(R"({"inputRequests":{"k":{"method":"roots/list"}}})"))
                       .value())),
      R"({"name":"x","inputResponses":{"k":{"roots":[{"uri":"file:///a","name":"a"}]}}})");
  const std::string state = "\"\\\t\xEF\xBB\xBF 가";
  const JsonObject next = params_with_inputs(services, params, {{"requestState", state}}).value();
  EXPECT_EQ(next.at("requestState").as_string(), state);
  EXPECT_FALSE(next.contains("inputResponses"));
  for (const char* bad : {"{}", R"({"requestState":5})", R"({"inputRequests":{"k":5}})",
                          R"({"inputRequests":{"k":{"method":"tools/call"}}})"}) {
    EXPECT_EQ(params_with_inputs(services, params, object(bad)).error().code, ErrorCode::Mcp)
        << bad;
  }
}

}  // namespace
}  // namespace goondan::mcp
