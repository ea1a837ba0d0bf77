// What a runtime must withstand. Each of these costs one call and nothing else.
#include <csignal>

#include <goondan/plugin.h>

using goondan::Json;
using goondan::JsonObject;
using goondan::Result;
using goondan::ToolContext;

Result<Json> crash(ToolContext&, const JsonObject&) {
  std::raise(SIGSEGV);
  return Json(nullptr);
}

Result<Json> hang(ToolContext&, const JsonObject&) {
  for (volatile int forever = 1; forever == 1;) {
  }
  return Json(nullptr);
}

Result<Json> count(ToolContext& context, const JsonObject& input) {
  const std::int64_t to = input.at("to").as_int64();
  for (std::int64_t i = 1; i <= to; ++i) {
    if (!context.sleep_for(std::chrono::seconds(1))) return goondan::tool_error("interrupted");
    context.progress(static_cast<double>(i), static_cast<double>(to), "at " + std::to_string(i));
  }
  return JsonObject{{"counted", to}};
}

GDN_PLUGIN({"crash", crash}, {"hang", hang}, {"count", count})
