#include <goondan/plugin.h>

goondan::Result<goondan::Json> echo(goondan::ToolContext&, const goondan::JsonObject& input) {
  return goondan::Json(input);
}

GDN_PLUGIN({"echo", echo})
