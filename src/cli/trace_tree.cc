#include "cli/trace_tree.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

#include "base/json_fields.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "cli/view_width.h"

namespace goondan::cli {
namespace {

using store::SpanRecord;

constexpr std::size_t kMaxDepth = 64;  // spans come from a file: a loop must not hang us
constexpr std::size_t kDurationColumns = 8;
constexpr std::size_t kGap = 2;
constexpr std::size_t kMaxLabelColumns = 60;  // a longer name shifts its own line only

JsonObject attributes_of(const SpanRecord& span) {
  const Result<Json> parsed = parse_json(span.attributes);
  return parsed.ok() ? object_or_empty(*parsed) : JsonObject{};
}

// What a person wants to see beside the duration.
std::string remarks(const SpanRecord& span) {
  const JsonObject attributes = attributes_of(span);
  std::string text;
  if (const auto input = integer_field(attributes, "gen_ai.usage.input_tokens")) {
    const auto output = integer_field(attributes, "gen_ai.usage.output_tokens").value_or(0);
    text += "  " + std::to_string(*input) + " → " + std::to_string(output) + " tokens";
  }
  if (span.status == "error") {
    const std::string type = text_field(attributes, "error.type");
    text += "  " + styled(type.empty() ? "error" : type, Style::Red, Stream::Out);
  }
  return text;
}

// One line of the tree, before the width of the first column is known.
struct Row {
  std::string lead;  // what draws the tree: one column a code point
  std::string label;
  std::string duration;
  std::string remarks;

  [[nodiscard]] std::size_t width() const { return columns(lead) + columns(label); }
};

class Tree {
 public:
  explicit Tree(std::span<const SpanRecord> spans) {
    std::set<std::string_view> known;
    for (const SpanRecord& span : spans)
      known.insert(span.span_id);
    for (const SpanRecord& span : spans) {
      const bool child = known.contains(span.parent_id) && span.parent_id != span.span_id;
      children_[child ? span.parent_id : std::string()].push_back(&span);
    }
    for (auto& [parent, list] : children_)
      std::ranges::stable_sort(list, {}, &SpanRecord::start_ns);
  }

  std::vector<Row> rows() {
    for (const SpanRecord* root : children_[std::string()])
      add(*root, "", "", 0);
    return std::move(rows_);
  }

 private:
  void add(const SpanRecord& span, const std::string& lead, const std::string& below,
           std::size_t depth) {
    rows_.push_back(
        {.lead = lead,
         .label = printable(span.name),
         .duration = span.end_ns == 0 ? "running" : span_time(span.end_ns - span.start_ns),
         .remarks = remarks(span)});
    const auto found = children_.find(span.span_id);
    if (depth >= kMaxDepth || found == children_.end()) return;
    for (const SpanRecord* child : found->second) {
      const bool last = child == found->second.back();
      add(*child, below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "), depth + 1);
    }
  }

  std::map<std::string, std::vector<const SpanRecord*>, std::less<>> children_;
  std::vector<Row> rows_;
};

std::string text_of(const Row& row, std::size_t column) {
  const std::size_t gap = column - std::min(column, row.width()) + kGap;
  const std::size_t wide = columns(row.duration);
  return row.lead + styled(row.label, row.lead.empty() ? Style::Bold : Style::Plain, Stream::Out) +
         std::string(gap + kDurationColumns - std::min(kDurationColumns, wide), ' ') +
         row.duration + row.remarks + "\n";
}

Json otlp_value(const Json& value) {
  if (value.is_bool()) return JsonObject{{"boolValue", value}};
  if (value.is_int64() || value.is_uint64()) return JsonObject{{"intValue", to_text(value)}};
  if (value.is_double()) return JsonObject{{"doubleValue", value}};
  if (value.is_string()) return JsonObject{{"stringValue", value}};
  return JsonObject{{"stringValue", to_text(value)}};
}

JsonArray otlp_attributes(const JsonObject& attributes) {
  JsonArray list;
  for (const auto& [key, value] : attributes) {
    list.push_back(JsonObject{{"key", key}, {"value", otlp_value(value)}});
  }
  return list;
}

constexpr int kInternal = 1;
constexpr int kClient = 3;
constexpr int kStatusOk = 1;
constexpr int kStatusError = 2;

Json otlp_span(const SpanRecord& span) {
  JsonObject object{
      {"traceId", span.trace_id},
      {"spanId", span.span_id},
      {"name", span.name},
      {"kind", span.name.starts_with("chat ") ? kClient : kInternal},
      {"startTimeUnixNano", std::to_string(span.start_ns)},
      {"endTimeUnixNano", std::to_string(std::max(span.end_ns, span.start_ns))},
      {"attributes", otlp_attributes(attributes_of(span))},
      {"status", JsonObject{{"code", span.status == "error" ? kStatusError : kStatusOk}}}};
  if (!span.parent_id.empty()) object["parentSpanId"] = span.parent_id;
  return object;
}

}  // namespace

std::string trace_tree(std::span<const SpanRecord> spans) {
  const std::vector<Row> rows = Tree(spans).rows();
  std::size_t column = 0;
  for (const Row& row : rows)
    column = std::max(column, std::min(row.width(), kMaxLabelColumns));
  std::string text;
  for (const Row& row : rows)
    text += text_of(row, column);
  return text;
}

Json trace_otlp(std::span<const SpanRecord> spans) {
  JsonArray list;
  for (const SpanRecord& span : spans)
    list.push_back(otlp_span(span));
  const JsonObject resource{
      {"attributes",
       otlp_attributes({{"service.name", "goondan"}, {"service.version", std::string(kVersion)}})}};
  const JsonObject scope{{"name", "goondan"}, {"version", std::string(kVersion)}};
  const JsonObject scope_spans{{"scope", scope}, {"spans", std::move(list)}};
  return JsonObject{
      {"resourceSpans",
       JsonArray{JsonObject{{"resource", resource}, {"scopeSpans", JsonArray{scope_spans}}}}}};
}

std::string span_time(std::int64_t nanoseconds) {
  char text[32];
  const double value = static_cast<double>(nanoseconds);
  if (nanoseconds >= 1'000'000'000) {
    std::snprintf(text, sizeof text, "%.2f s", value / 1e9);
  } else if (nanoseconds >= 10'000'000) {
    std::snprintf(text, sizeof text, "%.0f ms", value / 1e6);
  } else if (nanoseconds >= 100'000) {
    std::snprintf(text, sizeof text, "%.1f ms", value / 1e6);
  } else {
    std::snprintf(text, sizeof text, "%.0f µs", value / 1e3);
  }
  return text;
}

}  // namespace goondan::cli
