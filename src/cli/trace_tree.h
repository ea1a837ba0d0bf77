// A trace as a tree of spans, as text and as OTLP/JSON.
#pragma once

#include <span>
#include <string>

#include <goondan/json.h>

#include "store/instance_store.h"

namespace goondan::cli {

// One line for each span, children below their parents in the order they began, durations in a
// column. A span whose parent is not there is a root.
std::string trace_tree(std::span<const store::SpanRecord> spans);

// `{resourceSpans: [...]}` as OTLP wants it in JSON: hex ids, times and integers as text.
Json trace_otlp(std::span<const store::SpanRecord> spans);

// `1.24 s`, `780 ms`, `35 µs`
std::string span_time(std::int64_t nanoseconds);

}  // namespace goondan::cli
