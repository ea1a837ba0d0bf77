// What a turn was busy with and for how long, as spans that OpenTelemetry understands: a turn
// (`invoke_agent`), its steps, the model calls (`chat`) and tool calls (`execute_tool`) in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "base/redactor.h"
#include "store/instance_store.h"

namespace goondan::agent {

// A span that has not ended yet. A value.
struct Span {
  std::string trace_id = {};
  std::string span_id = {};
  std::string parent_id = {};  // empty: none
  std::string name = {};
  std::int64_t start_ns = 0;  // since 1970
  JsonObject attributes = {};
};

std::string new_span_id();
// `wanted` if it is a trace id (32 hex digits, not all zero), else a new one.
std::string trace_id_or_new(const std::string& wanted);

// Begins now, under `parent`.
Span child_span(const Span& parent, std::string name, std::string span_id = new_span_id());

std::int64_t now_ns();
// Of a time that `iso_now` wrote; now if it cannot be read.
std::int64_t ns_of(const std::string& iso);

// Collects spans that have ended and writes them together. Nothing fails for want of a span: what
// the store does not take is dropped. Confined to the thread that runs the turn. Borrows.
class SpanLog {
 public:
  SpanLog(store::InstanceStore& store, const Redactor* redactor)
      : store_(store), redactor_(redactor) {}

  void end(Span span, const std::optional<Error>& error = {});
  void flush();
  // Those that have ended and are not written; they are the caller's now.
  [[nodiscard]] std::vector<store::SpanRecord> take() { return std::exchange(ended_, {}); }

 private:
  store::InstanceStore& store_;
  const Redactor* redactor_;
  std::vector<store::SpanRecord> ended_;
};

}  // namespace goondan::agent
