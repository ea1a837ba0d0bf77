#include "agent/spans.h"

#include <cstdio>
#include <ctime>

#include "agent/turn_runner.h"
#include "base/ids.h"

namespace goondan::agent {
namespace {

constexpr std::size_t kSpanIdBytes = 8;
constexpr std::size_t kTraceIdBytes = 16;
constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
constexpr std::int64_t kNanosPerMilli = 1'000'000;

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// FNV-1a: the same for the same call in every process, which is all that is asked of it.
std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  constexpr std::uint64_t kPrime = 1099511628211U;
  for (const char byte : text) {
    seed = (seed ^ static_cast<unsigned char>(byte)) * kPrime;
  }
  return seed;
}

}  // namespace

std::string new_span_id() {
  return random_hex(kSpanIdBytes);
}

std::string trace_id_or_new(const std::string& wanted) {
  const bool usable = wanted.size() == 2 * kTraceIdBytes && is_hex(wanted) &&
                      wanted.find_first_not_of('0') != std::string::npos;
  return usable ? wanted : random_hex(kTraceIdBytes);
}

std::string call_span_id(std::string_view turn_id, std::string_view call_id) {
  constexpr std::uint64_t kBasis = 14695981039346656037U;
  const std::uint64_t mixed = hash(call_id, hash("/", hash(turn_id, kBasis)));
  char text[2 * kSpanIdBytes + 1];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(mixed == 0 ? 1 : mixed));
  return text;
}

Span child_span(const Span& parent, std::string name, std::string span_id) {
  return {.trace_id = parent.trace_id,
          .span_id = std::move(span_id),
          .parent_id = parent.span_id,
          .name = std::move(name),
          .start_ns = now_ns()};
}

std::int64_t now_ns() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

std::int64_t ns_of(const std::string& iso) {
  std::tm parts{};
  const char* rest = ::strptime(iso.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  int millis = 0;
  if (rest == nullptr || std::sscanf(rest, ".%3dZ", &millis) != 1) return now_ns();
  return static_cast<std::int64_t>(::timegm(&parts)) * kNanosPerSecond + millis * kNanosPerMilli;
}

void SpanLog::end(Span span, const std::optional<Error>& error) {
  if (error) span.attributes["error.type"] = error->code_text();
  Json attributes(std::move(span.attributes));
  if (redactor_ != nullptr) redactor_->redact(attributes);
  ended_.push_back({.trace_id = std::move(span.trace_id),
                    .span_id = std::move(span.span_id),
                    .parent_id = std::move(span.parent_id),
                    .name = std::move(span.name),
                    .start_ns = span.start_ns,
                    .end_ns = now_ns(),
                    .status = error ? "error" : "ok",
                    .attributes = to_text(attributes)});
}

void SpanLog::flush() {
  if (ended_.empty()) return;
  [[maybe_unused]] const Result<void> written = store_.add_spans(ended_);
  ended_.clear();
}

}  // namespace goondan::agent
