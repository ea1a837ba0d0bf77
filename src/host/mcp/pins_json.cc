#include "host/mcp/pins_json.h"

#include "base/json_fields.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kHashDigits = 64;
// Schemas may be as deep as a message, and stand some levels further down here.
constexpr JsonLimits kLimits{.max_bytes = kMaxPinsBytes, .max_depth = 96};

Json version_json(const McpPin::Version& version) {
  return JsonObject{
      {"sha256", version.hash}, {"definition", version.definition}, {"time", version.time}};
}

// Whether the field is missing, or as it should be.
bool read_version(const JsonObject& entry, std::string_view key,
                  std::optional<McpPin::Version>& out) {
  if (!entry.contains(key)) return true;
  const JsonObject* object = object_field(entry, key);
  if (object == nullptr) return false;
  const JsonObject* definition = object_field(*object, "definition");
  McpPin::Version version{.hash = text_field(*object, "sha256"),
                          .time = text_field(*object, "time")};
  if (version.hash.size() != kHashDigits || definition == nullptr) return false;
  version.definition = *definition;
  out = std::move(version);
  return true;
}

bool read_entry(const Json& value, McpPins& pins) {
  const JsonObject& entry = object_or_empty(value);
  McpPinKey key{.bundle = text_field(entry, "bundle"),
                .extension = text_field(entry, "extension"),
                .server = text_field(entry, "server"),
                .tool = text_field(entry, "tool")};
  McpPin pin;
  if (key.server.empty() || key.tool.empty()) return false;
  if (!read_version(entry, "accepted", pin.accepted)) return false;
  if (!read_version(entry, "offered", pin.offered)) return false;
  return pins.emplace(std::move(key), std::move(pin)).second;
}

}  // namespace

Error damaged_pins(const fs::path& path, std::string_view why) {
  return {.code = ErrorCode::StoreCorrupt,
          .message = "the file of pinned MCP tools '" + path.string() +
                     "' is damaged: " + std::string(why),
          .suggestion =
              "Restore it, or move it away to have the tools pinned anew as they are now; "
              "look at them first with `gdn mcp tools`."};
}

Result<McpPins> parse_mcp_pins(std::string_view text, const fs::path& path) {
  const Result<Json> value = parse_json(text, kLimits);
  if (!value.ok()) return damaged_pins(path, value.error().message);
  const JsonObject& object = object_or_empty(*value);
  const std::optional<std::int64_t> version = integer_field(object, "version");
  const JsonArray* tools = array_field(object, "tools");
  if (version && *version > kVersion) {
    return Error{.code = ErrorCode::StoreVersion,
                 .message = "the file of pinned MCP tools '" + path.string() +
                            "' was written by a newer version of gdn",
                 .suggestion = "Use that version."};
  }
  if (version != kVersion || tools == nullptr) {
    return damaged_pins(path, "it has no `version` and `tools`");
  }
  McpPins pins;
  for (std::size_t i = 0; i < tools->size(); ++i) {
    if (!read_entry((*tools)[i], pins)) {
      return damaged_pins(path, "its tool number " + std::to_string(i + 1) + " is not whole");
    }
  }
  return pins;
}

std::string mcp_pins_text(const McpPins& pins) {
  JsonArray tools;
  tools.reserve(pins.size());
  for (const auto& [key, pin] : pins) {
    JsonObject entry{{"bundle", key.bundle},
                     {"extension", key.extension},
                     {"server", key.server},
                     {"tool", key.tool}};
    if (pin.accepted) entry["accepted"] = version_json(*pin.accepted);
    if (pin.offered) entry["offered"] = version_json(*pin.offered);
    tools.push_back(std::move(entry));
  }
  return to_pretty_text(JsonObject{{"version", kVersion}, {"tools", std::move(tools)}}) + "\n";
}

}  // namespace goondan
