#include <algorithm>
#include <cctype>

#include <goondan/plugin.h>

using goondan::Json;
using goondan::JsonObject;
using goondan::Result;
using goondan::ToolContext;

Result<Json> uppercase(ToolContext&, const JsonObject& input) {
  std::string text(input.at("text").as_string());
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return JsonObject{{"text", text}};
}

Result<Json> repeat(ToolContext&, const JsonObject& input) {
  const std::string text(input.at("text").as_string());
  const std::string separator(input.contains("separator") ? input.at("separator").as_string()
                                                          : " ");
  std::string out = text;
  for (std::int64_t i = 1; i < input.at("times").as_int64(); ++i)
    out += separator + text;
  return JsonObject{{"text", out}};
}

GDN_PLUGIN({"uppercase", uppercase}, {"repeat", repeat})
