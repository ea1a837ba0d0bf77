// Tells what happens in a turn: observations of `docs/protocol.md`, with secrets masked.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>

#include "agent/spans.h"
#include "agent/turn_runner.h"

namespace goondan::agent {

// Thread-safe. Borrows the sink and the redactor.
class Reporter {
 public:
  Reporter(EventSink& sink, const Redactor* redactor) : sink_(sink), redactor_(redactor) {}

  // `{type, turnId, traceId, spanId, parentSpanId, ...fields}`; ids that are empty are left out.
  void tell(std::string_view type, const std::string& turn_id, const Span& span,
            JsonObject fields) const;

  // Without secrets, and not longer than a frame can take.
  [[nodiscard]] std::string shown(std::string_view text) const;

  [[nodiscard]] const Redactor* redactor() const { return redactor_; }

 private:
  EventSink& sink_;
  const Redactor* redactor_;  // null: nothing is masked
};

// Since `span` began.
std::int64_t elapsed_ms(const Span& span);

}  // namespace goondan::agent
