#include <goondan/plugin.h>

goondan::Result<goondan::Json> out(goondan::ToolContext&, const goondan::JsonObject& input) {
  return goondan::JsonObject{{"text", std::string(input.at("text").as_string()) + "!"}};
}

GDN_PLUGIN({"out", out})
