#include "mcp/handshake.h"

#include <algorithm>
#include <array>

#include "base/json_fields.h"
#include "mcp/input_requests.h"
#include "mcp/server_info.h"

namespace goondan::mcp {
namespace {

constexpr std::array<std::string_view, 4> kLegacyVersions{kLegacyVersion, "2025-06-18",
                                                          "2025-03-26", "2024-11-05"};
// A server may refuse a version and name the same one as supported: it wants to be asked again.
constexpr int kMaxVersionTries = 3;

bool is_modern(const RpcError& error) {
  return error.code == kHeaderMismatch || error.code == kMissingCapability ||
         error.code == kUnsupportedVersion;
}

bool names(const JsonArray* versions, std::string_view version) {
  return versions != nullptr && std::ranges::any_of(*versions, [version](const Json& one) {
           return one.is_string() && one.get_string() == version;
         });
}

// The newest legacy version among `versions`; empty if there is none.
std::string_view legacy_among(const JsonArray* versions) {
  const auto found = std::ranges::find_if(
      kLegacyVersions, [versions](std::string_view version) { return names(versions, version); });
  return found == kLegacyVersions.end() ? std::string_view() : *found;
}

const JsonArray* supported_in(const RpcError& error) {
  return array_field(object_or_empty(error.data), "supported");
}

Error no_common_version(const std::string& server, const Json& versions) {
  return {.code = ErrorCode::Mcp,
          .message = "'" + server + "' speaks no version of the protocol that is known here: " +
                     clean_text(to_text(versions), 200),
          .suggestion = "Known are " + std::string(kModernVersion) + " and " +
                        std::string(kLegacyVersion) + " down to " +
                        std::string(kLegacyVersions.back()) + "."};
}

// Whether a server may have to say something without being asked: that its tools have changed, what
// it logs, or what it wants from us.
bool speaks_unasked(const ServerInfo& info, const Services& ours) {
  const JsonObject* tools = object_field(info.capabilities, "tools");
  return (tools != nullptr && true_field(*tools, "listChanged")) ||
         info.capabilities.contains("logging") || ours.elicit || ours.sample || !ours.roots.empty();
}

class Handshake {
 public:
  Handshake(Exchange& exchange, const HandshakeOptions& options)
      : exchange_(exchange), options_(options) {}

  Result<ServerInfo> run();

 private:
  // What a probe has found: a modern server, or the version to greet a legacy one with.
  struct Probed {
    std::optional<ServerInfo> modern = {};
    std::string_view legacy = kLegacyVersion;
    enum class Sure { Yes, No } sure = Sure::Yes;  // `No`: it said nothing
  };

  Result<Probed> probe(Deadline deadline);
  Result<Probed> judge(const Reply& reply);
  Result<ServerInfo> initialize(std::string_view version);
  Result<Reply> ask_initialize(std::string_view version);
  [[nodiscard]] RequestOptions until(Deadline deadline) const {
    return {.deadline = std::min(deadline, options_.deadline), .stop = options_.stop};
  }
  void set_era(Era era, std::string_view version) {
    exchange_.set_era(era, std::string(version), declared_capabilities(options_.services, era));
  }

  Exchange& exchange_;
  const HandshakeOptions& options_;
};

Result<ServerInfo> Handshake::run() {
  if (options_.era == Era::Legacy) return initialize(kLegacyVersion);
  const Deadline probe_end =
      options_.era == Era::Modern ? options_.deadline : Clock::now() + options_.probe_time;
  Probed first = GDN_TRY(probe(probe_end));
  if (first.modern) return *std::move(first.modern);
  Result<ServerInfo> greeted = initialize(first.legacy);
  const bool refused = !greeted.ok() && greeted.error().code == ErrorCode::Mcp;
  if (!refused || first.sure == Probed::Sure::Yes) return greeted;
  // It was only slow to start, and knows no `initialize`: by now it can answer.
  Probed second = GDN_TRY(probe(options_.deadline));
  if (second.modern) return *std::move(second.modern);
  return greeted;
}

Result<Handshake::Probed> Handshake::probe(Deadline deadline) {
  set_era(Era::Modern, kModernVersion);
  for (int tries = 1; true; ++tries) {
    Result<Reply> reply = exchange_.ask("server/discover", {}, until(deadline));
    if (!reply.ok()) {
      const ErrorCode code = reply.error().code;
      if (options_.era == Era::Modern || code == ErrorCode::ToolCancelled) return reply.error();
      if (Clock::now() >= options_.deadline || !exchange_.transport().alive()) return reply.error();
      return Probed{.sure = Probed::Sure::No};
    }
    const RpcError* error = std::get_if<RpcError>(&*reply);
    const bool again = error != nullptr && error->code == kUnsupportedVersion &&
                       names(supported_in(*error), kModernVersion);
    if (!again || tries == kMaxVersionTries) return judge(*reply);
  }
}

Result<Handshake::Probed> Handshake::judge(const Reply& reply) {
  if (const RpcError* error = std::get_if<RpcError>(&reply)) {
    if (options_.era != Era::Modern && !is_modern(*error)) return Probed{};
    if (error->code != kUnsupportedVersion) {
      // It is modern, but will not be discovered.
      return Probed{.modern = ServerInfo{.era = Era::Modern,
                                         .protocol_version = std::string(kModernVersion)}};
    }
    const std::string_view legacy = legacy_among(supported_in(*error));
    if (legacy.empty()) return no_common_version(exchange_.server(), error->data);
    return Probed{.legacy = legacy};
  }
  const JsonObject& result = std::get<JsonObject>(reply);
  const JsonArray* versions = array_field(result, "supportedVersions");
  if (names(versions, kModernVersion)) return Probed{.modern = discovered(result)};
  // Some old servers answer anything with an empty result.
  if (versions == nullptr) return Probed{};
  const std::string_view legacy = legacy_among(versions);
  if (legacy.empty()) return no_common_version(exchange_.server(), *versions);
  return Probed{.legacy = legacy};
}

Result<Reply> Handshake::ask_initialize(std::string_view version) {
  return exchange_.ask("initialize",
                       {{"protocolVersion", version},
                        {"capabilities", declared_capabilities(options_.services, Era::Legacy)},
                        {"clientInfo", client_info()}},
                       until(options_.deadline));
}

Result<ServerInfo> Handshake::initialize(std::string_view version) {
  set_era(Era::Legacy, "");
  Reply reply = GDN_TRY(ask_initialize(version));
  if (const RpcError* error = std::get_if<RpcError>(&reply)) {
    const std::string_view offered = legacy_among(supported_in(*error));
    if (offered.empty()) return exchange_.to_error("initialize", *error);
    reply = GDN_TRY(ask_initialize(offered));
  }
  if (const RpcError* error = std::get_if<RpcError>(&reply)) {
    return exchange_.to_error("initialize", *error);
  }
  ServerInfo info = initialized(std::get<JsonObject>(reply));
  if (std::ranges::find(kLegacyVersions, info.protocol_version) == kLegacyVersions.end()) {
    return no_common_version(exchange_.server(), Json(info.protocol_version));
  }
  set_era(Era::Legacy, info.protocol_version);
  GDN_TRY(exchange_.transport().send(make_notification("notifications/initialized", {}),
                                     bounded(options_.deadline)));
  if (speaks_unasked(info, options_.services)) exchange_.transport().listen();
  return info;
}

}  // namespace

Result<ServerInfo> shake_hands(Exchange& exchange, const HandshakeOptions& options) {
  return Handshake(exchange, options).run();
}

}  // namespace goondan::mcp
