#include <goondan/plugin.h>

using goondan::Json;
using goondan::JsonObject;
using goondan::Result;
using goondan::ToolContext;

// A real tool would hand the job to a render farm here. What it answers makes the call pending: the
// model is told so, and the result comes later under this handle.
Result<Json> start(ToolContext& context, const JsonObject& input) {
  const std::string handle = "render-" + std::string(context.tool_call_id());
  return JsonObject{
      {"__async", true}, {"handle", handle}, {"title", input.at("title")}, {"etaMinutes", 90}};
}

GDN_PLUGIN({"start", start})
