#include "mcp/server_info.h"

#include "base/json_fields.h"
#include "base/utf8.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kMaxName = 200;  // code points

void set_identity(ServerInfo& info, const JsonObject* server) {
  if (server == nullptr) return;
  info.name = clean_text(text_field(*server, "name"), kMaxName);
  info.version = clean_text(text_field(*server, "version"), kMaxName);
}

void set_rest(ServerInfo& info, const JsonObject& result) {
  const std::string instructions = text_field(result, "instructions");
  info.instructions = utf8::prefix(instructions, kMaxInstructions);
  if (const JsonObject* given = object_field(result, "capabilities")) info.capabilities = *given;
}

}  // namespace

ServerInfo discovered(const JsonObject& result) {
  ServerInfo info{.era = Era::Modern, .protocol_version = std::string(kModernVersion)};
  const JsonObject* meta = object_field(result, "_meta");
  const JsonObject* named =
      meta == nullptr ? nullptr : object_field(*meta, "io.modelcontextprotocol/serverInfo");
  // Where drafts of the revision had it.
  set_identity(info, named != nullptr ? named : object_field(result, "serverInfo"));
  set_rest(info, result);
  return info;
}

ServerInfo initialized(const JsonObject& result) {
  ServerInfo info{.era = Era::Legacy, .protocol_version = text_field(result, "protocolVersion")};
  set_identity(info, object_field(result, "serverInfo"));
  set_rest(info, result);
  return info;
}

}  // namespace goondan::mcp
