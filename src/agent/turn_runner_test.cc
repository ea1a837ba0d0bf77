// Turns as they go when nothing crashes.
#include "agent/turn_fixture.h"
#include "base/redactor.h"

namespace goondan::agent {
namespace {

using namespace test;

TEST_F(Turns, AnswersWithTheTextOfTheModel) {  // REQ: TURN-1
  model.then(text_reply("hi"));
  const TurnOutcome outcome = turns().run(message("m1"));
  EXPECT_EQ(outcome.status, TurnStatus::Ok);
  EXPECT_EQ(outcome.response, "hi");
  EXPECT_EQ(outcome.finish_reason, "text_response");
  const std::vector<Message> kept = base();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].text(), "hello");
  EXPECT_EQ(kept[0].metadata.at("colour"), "blue");
  EXPECT_EQ(to_text(kept[0].metadata.at("__goondanInbound")),
            R"({"sourceKind":"user","sourceName":"cli","eventName":"user_input"})");
  EXPECT_EQ(kept[1].text(), "hi");
  EXPECT_EQ(sink.types(), (std::vector<std::string>{"turn.started", "step.started", "message.text",
                                                    "step.completed", "turn.completed"}));
}

TEST_F(Turns, SendsTheSystemPromptAndTheWholeConversation) {  // REQ: DEC-8
  turns().run(message("m1"));
  turns().run(message("m2", "and now?"));
  ASSERT_EQ(model.seen().size(), 2U);
  EXPECT_EQ(model.seen()[1].system, "Be kind.");
  ASSERT_EQ(model.seen()[1].messages.size(), 3U);
  EXPECT_EQ(model.seen()[1].messages[2].text(), "and now?");
}

TEST_F(Turns, HasTheWholeConversationAgainAfterARest) {
  turns().run(message("m1", "one"));
  turns().rest();
  turns().run(message("m2", "two"));
  const auto& seen = model.seen()[1].messages;
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].text(), "one");
  EXPECT_EQ(seen[2].text(), "two");
}

TEST_F(Turns, AnswersAMessageThatIsDoneFromTheStore) {
  model.then(text_reply("once"));
  turns().run(message("m1"));
  EXPECT_EQ(turns().run(message("m1")).response, "once");
  open();
  EXPECT_EQ(turns().run(message("m1")).response, "once");
  EXPECT_EQ(model.seen().size(), 1U);
}

TEST_F(Turns, KeepsResultsInTheOrderOfTheCalls) {  // REQ: CALL-8 CALL-10
  std::promise<void> second_done;
  std::shared_future<void> wait = second_done.get_future().share();
  add_tool(registry, "order__first", [wait](ToolContext&, const JsonObject&) -> Result<Json> {
    wait.wait_for(std::chrono::seconds(60));
    return Json("first");
  });
  add_tool(registry, "order__second",
           [&second_done](ToolContext&, const JsonObject&) -> Result<Json> {
             second_done.set_value();
             return Json("second");
           });
  model.then(calls_reply({call("a", "order__first"), call("b", "order__second")}));
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Ok);
  ASSERT_EQ(results().size(), 2U);
  EXPECT_EQ(results()[0].tool_call_id(), "a");
  EXPECT_EQ(tool_message_text(results()[0]), "first");
  EXPECT_EQ(results()[1].tool_call_id(), "b");
}

TEST_F(Turns, LetsGoodCallsRunBesideBadOnes) {  // REQ: DEC-11
  ToolCall unreadable = call_from_text("c", "echo__say", "{\"a\":");
  model.then(calls_reply({call("a", "no__such"), call("b", "echo__say", JsonObject{{"x", 1}}),
                          unreadable, call("d", "echo__fail")}));
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Ok);
  const std::vector<Message> kept = results();
  ASSERT_EQ(kept.size(), 4U);
  EXPECT_EQ(error_code(kept[0]), "E_TOOL_NOT_IN_CATALOG");
  EXPECT_EQ(tool_message_text(kept[1]), R"({"x":1})");
  EXPECT_EQ(error_code(kept[2]), "E_TOOL_INVALID_ARGS");
  EXPECT_EQ(error_code(kept[3]), "E_TOOL");
}

TEST_F(Turns, GivesEachCallAnIdOfItsOwn) {
  model.then(calls_reply({call("same", "echo__say", JsonObject{{"n", 1}}),
                          call("same", "echo__say", JsonObject{{"n", 2}}),
                          call("", "echo__say", JsonObject{{"n", 3}})}));
  model.then(calls_reply({call("same", "echo__say", JsonObject{{"n", 4}})}));
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Ok);
  std::vector<std::string> ids;
  std::vector<std::string> texts;
  for (const Message& one : results()) {
    ids.push_back(one.tool_call_id());
    texts.push_back(tool_message_text(one));
  }
  EXPECT_EQ(texts,
            (std::vector<std::string>{R"({"n":1})", R"({"n":2})", R"({"n":3})", R"({"n":4})"}));
  EXPECT_EQ(ids[0], "same");
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  EXPECT_FALSE(ids.front().empty());
}

TEST_F(Turns, OffersAToolThatWasRegisteredInTheNextStep) {  // REQ: CAT-2 CAT-4
  catalog = ToolCatalog(registry).filtered(
      [](const CatalogItem& item) { return item.name == "echo__say"; });
  add_tool(registry, "grow__one", [this](ToolContext&, const JsonObject&) -> Result<Json> {
    CatalogItem item{.name = "new__tool",
                     .source = {.type = ToolSourceType::Extension, .name = "grow"}};
    const ToolHandler handler = [](ToolContext&, const JsonObject&) -> Result<Json> {
      return Json("fresh");
    };
    return registry.add({.item = std::move(item), .handler = handler}).ok() ? Json(true)
                                                                            : Json(false);
  });
  catalog = *catalog->with({.name = "grow__one"});
  model.then(calls_reply({call("1", "new__tool"), call("2", "grow__one")}));
  model.then(calls_reply({call("3", "new__tool")}));
  EXPECT_EQ(turns().run(message("m")).status, TurnStatus::Ok);
  EXPECT_EQ(error_code(results()[0]), "E_TOOL_NOT_IN_CATALOG");
  EXPECT_EQ(tool_message_text(results()[2]), "fresh");
  using Names = std::vector<std::string>;
  EXPECT_EQ(model.seen()[0].tools, (Names{"echo__say", "grow__one"}));
  EXPECT_EQ(model.seen()[1].tools, (Names{"echo__say", "grow__one", "new__tool"}));
  ASSERT_TRUE(registry.remove("new__tool", {.type = ToolSourceType::Extension, .name = "grow"}));
  EXPECT_EQ(turns().run(message("n")).status, TurnStatus::Ok);
  EXPECT_EQ(model.seen().back().tools.size(), 2U);
}

TEST_F(Turns, StopsAtTheLimitOfSteps) {  // REQ: TURN-1
  settings.max_steps = 2;
  model.then(calls_reply({call("a", "echo__say")}, "thinking"));
  model.then(calls_reply({call("b", "echo__say")}));
  const TurnOutcome outcome = turns().run(message("m1"));
  EXPECT_EQ(outcome.finish_reason, "max_steps");
  EXPECT_EQ(outcome.response, "thinking");
  model.then(calls_reply({call("c", "echo__say")}));
  model.then(calls_reply({call("d", "echo__say")}));
  EXPECT_NE(turns().run(message("m2")).response.find("limit of 2 steps"), std::string::npos);
}

TEST_F(Turns, TakesInjectionsBeforeTheNextStep) {  // REQ: HAND-6
  add_tool(registry, "inject__now", [this](ToolContext&, const JsonObject&) -> Result<Json> {
    const Json payload{{"id", "i1"},
                       {"text", "news"},
                       {"source", {{"kind", "agent"}, {"name", "b"}}},
                       {"metadata", {{"__goondanInterAgentResponse", {{"requestId", "r"}}}}}};
    EXPECT_TRUE(store->add_injection({.id = "i1", .json = to_text(payload)}).ok());
    return Json(1);
  });
  model.then(calls_reply({call("a", "inject__now")}));
  turns().run(message("m1"));
  ASSERT_EQ(model.seen().size(), 2U);
  const Message& last = model.seen()[1].messages.back();
  EXPECT_EQ(last.role(), Role::User);
  EXPECT_EQ(last.text(), "news");
  EXPECT_TRUE(last.metadata.contains("__goondanInterAgentResponse"));
  EXPECT_EQ(sink.of("message.injected").size(), 1U);
}

TEST_F(Turns, RunsATurnForInjectionsAlone) {  // REQ: CALL-7
  EXPECT_FALSE(turns().run_injections().has_value());
  ASSERT_TRUE(store->add_injection({.id = "i1", .json = R"({"text":"one"})"}).ok());
  ASSERT_TRUE(store->add_injection({.id = "i2", .json = "not json"}).ok());
  model.then(text_reply("seen"));
  const auto outcome = turns().run_injections();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->response, "seen");
  ASSERT_EQ(model.seen()[0].messages.size(), 2U);
  EXPECT_EQ(model.seen()[0].messages[1].text(), "not json");
  EXPECT_FALSE(turns().run_injections().has_value());
}

TEST_F(Turns, EndsWithTheErrorOfTheModelAndGoesOnNextTime) {
  model.then(calls_reply({call("a", "echo__say")}));
  model.then(Error{.code = ErrorCode::ModelBusy, .message = "too many"});
  const TurnOutcome outcome = turns().run(message("m1"));
  EXPECT_EQ(outcome.status, TurnStatus::Error);
  EXPECT_EQ(outcome.error->code, ErrorCode::ModelBusy);
  EXPECT_EQ(sink.of("turn.failed").size(), 1U);
  EXPECT_EQ(sink.of("step.failed").size(), 1U);
  EXPECT_EQ(base().size(), 3U);  // the message, the answer with the call, its result
  EXPECT_EQ(turns().run(message("m2")).response, "done");
  EXPECT_EQ(model.seen().back().messages.size(), 4U);
}

TEST_F(Turns, AsksOnceMoreWhenTheModelSaysNothing) {
  model.then(text_reply(""));
  model.then(text_reply("now"));
  EXPECT_EQ(turns().run(message("m1")).response, "now");
  EXPECT_EQ(base().size(), 2U);
  model.then(text_reply(" \n"));
  model.then(text_reply(""));
  const TurnOutcome outcome = turns().run(message("m2"));
  EXPECT_EQ(outcome.error->code, ErrorCode::ModelReply);
  EXPECT_EQ(base().size(), 3U);
}

TEST_F(Turns, TakesACutAnswerAndSaysThatItWasCut) {
  ModelReply cut = text_reply("half a sen");
  cut.finish = FinishReason::Length;
  model.then(cut);
  EXPECT_EQ(turns().run(message("m1")).response, "half a sen");
  EXPECT_EQ(sink.of("message.text")[0].at("finishReason"), "length");
}

TEST_F(Turns, TakesAMegabyteOfArguments) {
  const std::string large(1'000'000, 'x');
  model.then(calls_reply({call("a", "echo__say", JsonObject{{"text", large}})}));
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Ok);
  EXPECT_EQ(base()[1].tool_calls()[0].input.at("text").as_string(), large);
  for (const JsonObject& one : sink.all())
    EXPECT_LT(to_text(one).size(), 10'000U);
}

TEST_F(Turns, KeepsWhatIsNestedTooDeepAsText) {
  add_tool(registry, "deep__value", [](ToolContext&, const JsonObject&) -> Result<Json> {
    Json value = 1;
    for (int i = 0; i < 500; ++i)
      value = JsonArray{std::move(value)};
    return value;
  });
  model.then(calls_reply({call("a", "deep__value")}));
  EXPECT_EQ(turns().run(message("m1")).status, TurnStatus::Ok);
  open();
  EXPECT_EQ(turns().run(message("m2")).status, TurnStatus::Ok);
  EXPECT_EQ(tool_message_text(results()[0]).size(), 1'001U);
}

TEST_F(Turns, OpensTheHandleOfAPendingResult) {  // REQ: CALL-7
  add_tool(registry, "job__start", [](ToolContext&, const JsonObject&) -> Result<Json> {
    return JsonObject{{"__async", true}, {"handle", "job-1"}, {"eta", 5}};
  });
  ToolRegistry handles;
  for (const char* name : {"handles__read", "handles__wait", "handles__list"})
    add_tool(handles, name, [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(); });
  handle_tools = ToolCatalog(handles);
  const auto runtime = std::make_shared<FakeRuntime>();
  executor.runtime = runtime;
  model.then(calls_reply({call("a", "job__start")}));
  turns().run(message("m1"));
  ASSERT_EQ(runtime->requests.size(), 1U);
  EXPECT_EQ(runtime->requests[0].first, "handles.open");
  EXPECT_EQ(to_text(runtime->requests[0].second),
            R"({"handle":"job-1","toolName":"job__start","toolCallId":"a","output":{"eta":5}})");
  EXPECT_EQ(model.seen()[0].tools.size(), 3U);
  EXPECT_EQ(model.seen()[1].tools,
            (std::vector<std::string>{"echo__say", "echo__fail", "job__start", "handles__wait",
                                      "handles__list"}));
  EXPECT_EQ(sink.of("tool.completed")[0].at("handle"), "job-1");

  runtime->refusal = Error{.code = ErrorCode::HandleTaken, .message = "taken"};
  model.then(calls_reply({call("b", "job__start")}));
  turns().run(message("m2"));
  EXPECT_EQ(error_code(results()[1]), "E_HANDLE_TAKEN");
}

TEST_F(Turns, CutsLargeResultsAndReadsOn) {  // REQ: CALL-11
  settings.max_result_bytes = 1'000;
  std::string large;
  for (int i = 0; i < 3'000; ++i)
    large += i % 2 == 0 ? "é" : "\"";
  add_tool(registry, "big__text",
           [large](ToolContext&, const JsonObject&) -> Result<Json> { return Json(large); });
  ToolRegistry handles;
  add_tool(handles, "handles__read",
           [](ToolContext&, const JsonObject&) -> Result<Json> { return Json(); });
  handle_tools = ToolCatalog(handles);
  model.then(calls_reply({call("a", "big__text")}));
  turns().run(message("m1"));
  EXPECT_EQ(model.seen()[1].tools.back(), "handles__read");
  const Message result = results()[0];
  const std::string shown = tool_message_text(result);
  EXPECT_EQ(shown.substr(0, 999), large.substr(0, 999));
  EXPECT_NE(shown.find("of 4500 bytes are shown"), std::string::npos);
  const std::string handle(result.metadata.at("__goondanCut").at("handle").as_string());
  EXPECT_NE(shown.find(handle), std::string::npos);

  std::string whole;
  Json next = 0;
  while (!next.is_null()) {
    const auto page = read_output(*store, {{"handle", handle}, {"offset", next}}, 1'000);
    ASSERT_TRUE(page.ok());
    EXPECT_LE(to_text(*page).size(), 1'000U);
    EXPECT_EQ(page->at("total"), Json(3'000));
    whole += page->at("content").as_string();
    next = page->at("nextOffset");
  }
  EXPECT_EQ(whole, large);
  EXPECT_EQ(read_output(*store, {{"handle", "out_x"}}).error().code, ErrorCode::HandleNotFound);
  const auto beyond = read_output(*store, {{"handle", handle}, {"offset", 99'999}, {"length", 2}});
  EXPECT_EQ(to_text(*beyond), R"({"handle":")" + handle +
                                  R"(","offset":3000,"length":0,"total":3000,"nextOffset":null,)"
                                  R"("content":""})");
}

TEST_F(Turns, MasksSecretsInAllThatIsObserved) {
  auto redactor = std::make_shared<Redactor>();
  redactor->add_secret("s3cret-value-9");
  executor.redactor = redactor;
  model.then([](const ModelRequest&, ModelObserver& observer) -> Result<ModelReply> {
    observer.on_text("it is s3cret-");
    observer.on_text("value-9 ");
    return calls_reply({call("a", "echo__say", JsonObject{{"k", "s3cret-value-9"}})},
                       "it is s3cret-value-9 ");
  });
  model.then(text_reply("s3cret-value-9"));
  const TurnOutcome outcome = turns().run(message("m1", "use s3cret-value-9"));
  EXPECT_EQ(outcome.response, "[redacted]");
  EXPECT_FALSE(sink.of("message.delta").empty());
  for (const JsonObject& one : sink.all())
    EXPECT_EQ(to_text(one).find("s3cret-value-9"), std::string::npos) << to_text(one);
  std::string streamed;
  for (const JsonObject& one : sink.of("message.delta"))
    streamed += text_field(one, "text");
  EXPECT_EQ(streamed, "it is [redacted] ");
}

TEST_F(Turns, WritesSpansUnderEachOther) {  // REQ: TURN-3
  TurnMessage sent = message("m1");
  sent.trace_id = "0123456789abcdef0123456789abcdef";
  sent.parent_span_id = "00000000000000aa";
  model.then(calls_reply({call("a", "echo__fail")}));
  turns().run(sent);
  const auto spans = store->spans(sent.trace_id);
  ASSERT_TRUE(spans.ok());
  const auto named = [&](std::string_view name) {
    return *std::ranges::find(*spans, name, &store::SpanRecord::name);
  };
  ASSERT_EQ(spans->size(), 6U);
  EXPECT_EQ(named("invoke_agent writer").parent_id, sent.parent_span_id);
  EXPECT_EQ(named("step 1").parent_id, named("invoke_agent writer").span_id);
  EXPECT_EQ(named("chat fake-1").parent_id, named("step 1").span_id);
  const store::SpanRecord tool = named("execute_tool echo__fail");
  EXPECT_EQ(tool.parent_id, named("step 1").span_id);
  EXPECT_EQ(tool.status, "error");
  EXPECT_NE(tool.attributes.find(R"("error.type":"E_TOOL")"), std::string::npos);
  const std::string turn_id(sink.of("turn.started")[0].at("turnId").as_string());
  EXPECT_EQ(tool.span_id, call_span_id(turn_id, "a"));
  sent.id = "m2";
  sent.trace_id = "nonsense";
  turns().run(sent);
  EXPECT_EQ(sink.of("turn.started")[1].at("traceId").as_string().size(), 32U);
}

TEST_F(Turns, NeedsFewCommits) {
  int commits = 0;
  open({.after_commit = [&commits](std::string_view) { ++commits; }});
  turns().run(message("m1"));
  commits = 0;
  turns().run(message("m2"));
  EXPECT_EQ(commits, 2);
}

}  // namespace
}  // namespace goondan::agent
