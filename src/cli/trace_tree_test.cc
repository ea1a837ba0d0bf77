#include "cli/trace_tree.h"

#include <gtest/gtest.h>

namespace goondan::cli {
namespace {

using store::SpanRecord;

const std::vector<SpanRecord> kSpans{
    {.trace_id = "t",
     .span_id = "b",
     .parent_id = "a",
     .name = "step 1",
     .start_ns = 10,
     .end_ns = 2'000'010},
    {.trace_id = "t",
     .span_id = "a",
     .parent_id = "elsewhere",
     .name = "invoke_agent w",
     .start_ns = 5,
     .end_ns = 1'500'000'005,
     .attributes = R"({"gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 5})"},
    {.trace_id = "t",
     .span_id = "c",
     .parent_id = "b",
     .name = "execute_tool x__y",
     .start_ns = 20,
     .end_ns = 50'020,
     .status = "error",
     .attributes = R"({"error.type": "E_TOOL"})"}};

TEST(TraceTree, ShowsChildrenBelowTheirParentsWithTheirDurations) {  // REQ: TURN-3
  EXPECT_EQ(trace_tree(kSpans),
            "invoke_agent w             1.50 s  9 → 5 tokens\n"
            "└─ step 1                  2.0 ms\n"
            "   └─ execute_tool x__y     50 µs  E_TOOL\n");
}

TEST(TraceTree, SurvivesSpansThatAreTheirOwnAncestors) {
  const std::vector<SpanRecord> loop{{.span_id = "a", .parent_id = "b", .name = "x"},
                                     {.span_id = "b", .parent_id = "a", .name = "y"},
                                     {.span_id = "c", .parent_id = "c", .name = "z"}};
  EXPECT_EQ(trace_tree(loop), "z   running\n");
}

TEST(TraceTree, WritesOtlpAsItsJsonWantsIt) {  // REQ: TURN-3
  const Json document = trace_otlp(kSpans);
  const Json& spans = document.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans");
  EXPECT_EQ(
      to_text(spans.at(1)),
      R"({"traceId":"t","spanId":"a","name":"invoke_agent w","kind":1,"startTimeUnixNano":"5",)"
      R"("endTimeUnixNano":"1500000005","attributes":[{"key":"gen_ai.usage.input_tokens",)"
      R"("value":{"intValue":"9"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"5"}}],)"
      R"("status":{"code":1},"parentSpanId":"elsewhere"})");
  EXPECT_EQ(spans.at(2).at("status").at("code"), Json(2));
}

}  // namespace
}  // namespace goondan::cli
