#include <algorithm>
#include <cstdint>
#include <ctime>

#include "base/ids.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"
#include "cli/trace_tree.h"
#include "store/instance_store.h"

namespace goondan::cli {
namespace {

using store::InstanceStore;
using store::SpanRecord;
using Summary = InstanceStore::TraceSummary;

// The stores of all instances of the workspaces; those that cannot be read are told and left out.
std::vector<std::unique_ptr<InstanceStore>> open_stores(const std::vector<Workspace>& workspaces) {
  std::vector<std::unique_ptr<InstanceStore>> stores;
  for (const Workspace& workspace : workspaces) {
    for (const InstanceFolder& instance : instance_folders(workspace)) {
      Result<std::unique_ptr<InstanceStore>> opened =
          InstanceStore::open_for_reading(instance.folder);
      if (opened.ok()) {
        stores.push_back(*std::move(opened));
      } else if (opened.error().code != ErrorCode::NotFound) {
        print_error(opened.error());
      }
    }
  }
  return stores;
}

// One summary for each trace: an answer of several agents is one trace in several stores.
std::vector<Summary> summaries(const std::vector<std::unique_ptr<InstanceStore>>& stores,
                               std::size_t limit) {
  std::vector<Summary> all;
  for (const auto& store : stores) {
    const Result<std::vector<Summary>> found = store->traces(limit);
    if (!found.ok()) continue;
    for (const Summary& summary : *found) {
      const auto known = std::ranges::find(all, summary.trace_id, &Summary::trace_id);
      if (known == all.end()) {
        all.push_back(summary);
        continue;
      }
      if (summary.start_ns < known->start_ns) known->name = summary.name;
      known->start_ns = std::min(known->start_ns, summary.start_ns);
      known->end_ns = std::max(known->end_ns, summary.end_ns);
      known->spans += summary.spans;
    }
  }
  std::ranges::sort(all, std::greater{}, &Summary::start_ns);
  if (all.size() > limit) all.resize(limit);
  return all;
}

std::string when(std::int64_t nanoseconds) {
  return iso_time(std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(
          std::chrono::nanoseconds(nanoseconds))));
}

ExitCode print_list(const std::vector<Summary>& traces, TraceFormat format) {
  if (format != TraceFormat::Text) {
    JsonArray list;
    for (const Summary& trace : traces) {
      list.push_back(JsonObject{{"traceId", trace.trace_id},
                                {"name", trace.name},
                                {"startedAt", when(trace.start_ns)},
                                {"durationNs", trace.end_ns - trace.start_ns},
                                {"spans", trace.spans}});
    }
    print_line(to_text(list));
    return ExitCode::Ok;
  }
  if (traces.empty()) print_error_line("no traces yet; `gdn run` makes them");
  for (const Summary& trace : traces) {
    print_line(trace.trace_id + "  " + when(trace.start_ns) + "  " +
               span_time(trace.end_ns - trace.start_ns) + "  " + std::to_string(trace.spans) +
               " spans  " + printable(trace.name));
  }
  return ExitCode::Ok;
}

Result<std::string> find_trace(const std::vector<Summary>& traces, const std::string& id) {
  if (id == "last" && !traces.empty()) return traces.front().trace_id;
  std::vector<std::string> fitting;
  for (const Summary& trace : traces) {
    if (trace.trace_id.starts_with(id)) fitting.push_back(trace.trace_id);
  }
  if (fitting.size() == 1) return fitting.front();
  return Error{.code = ErrorCode::NotFound,
               .message = fitting.empty() ? "there is no trace '" + id + "'"
                                          : "'" + id + "' is the beginning of several traces",
               .suggestion = "`gdn trace` lists the latest ones; `gdn trace last` shows the last."};
}

Json span_json(const SpanRecord& span) {
  const Result<Json> attributes = parse_json(span.attributes);
  return JsonObject{{"traceId", span.trace_id},
                    {"spanId", span.span_id},
                    {"parentSpanId", span.parent_id},
                    {"name", span.name},
                    {"startNs", span.start_ns},
                    {"endNs", span.end_ns},
                    {"status", span.status},
                    {"attributes", attributes.ok() ? *attributes : Json(JsonObject{})}};
}

void print_trace(const std::vector<SpanRecord>& spans, TraceFormat format) {
  if (format == TraceFormat::Text) return print(trace_tree(spans));
  if (format == TraceFormat::Otlp) return print_line(to_text(trace_otlp(spans)));
  JsonArray list;
  for (const SpanRecord& span : spans)
    list.push_back(span_json(span));
  print_line(to_text(list));
}

constexpr std::size_t kSearched = 10'000;

Result<ExitCode> trace(const TraceRequest& request) {
  const auto stores = open_stores(GDN_TRY(choose_workspaces(request.where)));
  const std::vector<Summary> traces = summaries(stores, request.id ? kSearched : request.limit);
  if (!request.id && request.format != TraceFormat::Otlp) return print_list(traces, request.format);
  const std::string id = GDN_TRY(find_trace(traces, request.id.value_or("last")));
  std::vector<SpanRecord> spans;
  for (const auto& store : stores) {
    const std::vector<SpanRecord> found = GDN_TRY(store->spans(id));
    spans.insert(spans.end(), found.begin(), found.end());
  }
  std::ranges::stable_sort(spans, {}, &SpanRecord::start_ns);
  print_trace(spans, request.format);
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_trace(const TraceRequest& request) {
  return finish_command(trace(request));
}

}  // namespace goondan::cli
