#include "cli/view_totals.h"

#include <vector>

#include "base/json_fields.h"
#include "cli/view_words.h"

namespace goondan::cli {

void Totals::add(const JsonObject& observation) {
  const std::string type = text_field(observation, "type");
  if (type == "turn.completed" || type == "turn.failed") ++turns;
  if (type == "tool.completed") {
    ++calls;
    if (text_field(observation, "status") == "error") ++failed_calls;
  }
  if (type != "step.completed") return;
  ++steps;
  if (const JsonObject* const usage = object_field(observation, "usage")) {
    input_tokens += std::max<std::int64_t>(integer_field(*usage, "inputTokens").value_or(0), 0);
    output_tokens += std::max<std::int64_t>(integer_field(*usage, "outputTokens").value_or(0), 0);
  }
}

std::string Totals::text(std::chrono::milliseconds duration, std::string_view dot) const {
  std::vector<std::string> parts{counted(steps, "step"), counted(calls, "call")};
  if (failed_calls > 0) parts.back() += " (" + count_text(failed_calls) + " failed)";
  if (input_tokens + output_tokens > 0) {
    parts.push_back(count_text(input_tokens) + " tokens in, " + count_text(output_tokens) + " out");
  }
  parts.push_back(duration_text(duration));
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += dot;
    out += part;
  }
  return out;
}

JsonObject Totals::to_json() const {
  return {{"turns", turns},
          {"steps", steps},
          {"calls", calls},
          {"failedCalls", failed_calls},
          {"inputTokens", input_tokens},
          {"outputTokens", output_tokens}};
}

}  // namespace goondan::cli
