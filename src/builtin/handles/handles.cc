#include "builtin/handles/handles.h"

#include "base/json_fields.h"
#include "builtin/arguments.h"
#include "builtin/handles/embedded.h"
#include "builtin/runtime_request.h"

namespace goondan::builtin::handles {
namespace {

constexpr std::chrono::milliseconds kWaitTimeout{30'000};
constexpr std::int64_t kReadLength = 20'000;
constexpr std::string_view kPending = "pending";

// `{handle, status, output?, error?}` of what the runtime tells of a handle.
JsonObject outcome(const JsonObject& told, const JsonObject& input) {
  const std::string status = text_field(told, "status");
  JsonObject result{{"handle", any_field(input, "handle")},
                    {"status", status.empty() ? std::string(kPending) : status}};
  copy_fields(told, {"output", "error"}, result);
  // A finished call that returned null is not one without an output.
  if (status == "ok" && !result.contains("output")) result["output"] = nullptr;
  return result;
}

Result<Json> wait(const Services&, ToolContext& context, const JsonObject& input) {
  const WaitTime time = wait_time(context, input, kWaitTimeout);
  const JsonObject told = GDN_TRY(
      runtime_request(context, "handles.wait",
                      {{"handle", any_field(input, "handle")}, {"timeoutMs", time.milliseconds}}));
  JsonObject result = outcome(told, input);
  if (result.at("status") == Json(kPending)) {
    result["message"] = "The work was not done after " + std::to_string(time.milliseconds) +
                        " ms. Its result will arrive by itself in a later message; do something "
                        "else, or wait again.";
  }
  return result;
}

Result<Json> cancel(const Services&, ToolContext& context, const JsonObject& input) {
  JsonObject params;
  copy_fields(input, {"handle", "reason"}, params);
  const JsonObject told = GDN_TRY(runtime_request(context, "handles.cancel", std::move(params)));
  return outcome(told, input);
}

Result<Json> list(const Services&, ToolContext& context, const JsonObject& input) {
  const bool all = flag_argument(input, "includeAll").value_or(false);
  const JsonObject told = GDN_TRY(runtime_request(context, "handles.list", {{"includeAll", all}}));
  const JsonArray* found = array_field(told, "handles");
  JsonArray handles = found == nullptr ? JsonArray{} : *found;
  const std::size_t count = handles.size();
  return JsonObject{{"count", count}, {"handles", std::move(handles)}};
}

std::int64_t whole_argument(const JsonObject& input, std::string_view key, std::int64_t otherwise) {
  const std::optional<double> number = number_argument(input, key);
  if (!number) return otherwise;
  constexpr double kMost = 1e15;  // beyond any text, and exact in a double
  return static_cast<std::int64_t>(std::min(*number, kMost));
}

Result<Json> read(const Services&, ToolContext& context, const JsonObject& input) {
  const std::int64_t offset = whole_argument(input, "offset", 0);
  const std::int64_t length = whole_argument(input, "length", kReadLength);
  const JsonObject told = GDN_TRY(runtime_request(
      context, "handles.read",
      {{"handle", any_field(input, "handle")}, {"offset", offset}, {"length", length}}));
  JsonObject result{{"handle", any_field(input, "handle")}};
  for (const std::string_view key : {"offset", "length", "total", "nextOffset", "content"})
    result[key] = any_field(told, key);
  return result;
}

}  // namespace

Definition definition() {
  return {.name = "handles",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "wait", .handle = wait},
                      {.name = "cancel", .handle = cancel},
                      {.name = "list", .handle = list},
                      {.name = "read", .handle = read}}};
}

}  // namespace goondan::builtin::handles
