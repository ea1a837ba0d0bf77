#include "agent/reporter.h"

#include "agent/bounded_text.h"

namespace goondan::agent {

void Reporter::tell(std::string_view type, const std::string& turn_id, const Span& span,
                    JsonObject fields) const {
  if (redactor_ != nullptr) {
    Json value(std::move(fields));
    redactor_->redact(value);
    fields = std::move(value.get_object());
  }
  JsonObject observation{
      {"type", type}, {"turnId", turn_id}, {"traceId", span.trace_id}, {"spanId", span.span_id}};
  if (!span.parent_id.empty()) observation["parentSpanId"] = span.parent_id;
  for (auto& member : fields) {
    observation[member.key()] = std::move(member.value());
  }
  sink_.observe(std::move(observation));
}

std::string Reporter::shown(std::string_view text) const {
  if (redactor_ == nullptr) return frame_text(text);
  return frame_text(redactor_->redact(text));
}

std::int64_t elapsed_ms(const Span& span) {
  constexpr std::int64_t kNanosPerMilli = 1'000'000;
  return std::max<std::int64_t>((now_ns() - span.start_ns) / kNanosPerMilli, 0);
}

}  // namespace goondan::agent
