// What clients ask for, as far as it is not the dispatcher's.
#include "base/json_fields.h"
#include "base/utf8.h"
#include "orchestrator/orchestrator.h"
#include "orchestrator/status.h"
#include "os/os_error.h"
#include "store/layout.h"

namespace goondan::orchestrator {
namespace {

constexpr std::size_t kKindCharactersInAMessage = 40;

Error unknown_kind(const std::string& kind) {
  return {.code = ErrorCode::Ipc,
          .message = "the orchestrator does not know the request '" +
                     std::string(utf8::prefix(kind, kKindCharactersInAMessage)) + "'",
          .suggestion = "Use the same version of gdn for both."};
}

// Without a name `restart` and `cancel` mean everything: a name that is no text must not count as
// none.
std::optional<Error> misnamed(const JsonObject& payload) {
  for (const std::string_view key : {"agent", "instanceKey"}) {
    const Json* const field = payload.if_contains(key);
    if (field == nullptr || field->is_string()) continue;
    return Error{.code = ErrorCode::Ipc, .message = "'" + std::string(key) + "' must be text"};
  }
  return std::nullopt;
}

}  // namespace

Error stopping_error() {
  return {.code = ErrorCode::NotRunning,
          .message = "the orchestrator is stopping",
          .suggestion = "Start it again with `gdn run`."};
}

void Orchestrator::on_request(std::uint64_t client, const JsonObject& payload) {
  const std::string kind = text_field(payload, "kind");
  const Asked asked{.client = client, .request_id = text_field(payload, "requestId")};
  if (!dispatcher_) return answer(asked, stopping_error());
  if (const auto error = misnamed(payload)) return answer(asked, *error);
  if (dispatcher_->on_client(client, kind, asked.request_id, payload)) return;
  if (kind == "watch") {
    clients_.set_watching(client);
    answer(asked, Json(JsonObject{}));
  } else if (kind == "status") {
    answer(asked, status_json({.dispatcher = *dispatcher_,
                               .instances = instances_,
                               .swarm = zygotes_.bundle().swarm,
                               .workspace = zygotes_.bundle().workspace,
                               .bundle = arguments_.bundle.string(),
                               .started_at = started_at_}));
  } else if (kind == "restart") {
    const std::string agent = text_field(payload, "agent");
    if (!agent.empty()) return restart_agent(agent, asked, payload);
    const std::string reason = text_field(payload, "reason");
    restart_all(reason.empty() ? "asked for" : reason, asked, payload);
  } else if (kind == "delete") {
    delete_instance(asked, payload);
  } else if (kind == "stop") {
    answer(asked, Json(JsonObject{{"stopping", true}}));
    stop("asked for");
  } else {
    answer(asked, unknown_kind(kind));
  }
}

void Orchestrator::answer(const Asked& asked, const Result<Json>& result) {
  if (asked.client != 0) clients_.reply(asked.client, asked.request_id, result);
}

void Orchestrator::delete_instance(const Asked& asked, const JsonObject& params) {
  const InstanceName name{text_field(params, "agent"), text_field(params, "instanceKey")};
  if (name.agent.empty() || name.key.empty()) {
    return answer(asked, Error{.code = ErrorCode::Usage,
                               .message = "delete needs an agent and an instance key",
                               .suggestion = "List them with `gdn instance list`."});
  }
  if (!dispatcher_->knows(name)) {
    return answer(asked, Error{.code = ErrorCode::NotFound,
                               .message = "there is no instance '" + name.text() + "'",
                               .suggestion = "List them with `gdn instance list`."});
  }
  instances_.drain(name, kStopGrace, DrainReason::Shutdown,
                   [this, name, asked] { answer(asked, delete_state(name)); });
}

Result<Json> Orchestrator::delete_state(const InstanceName& name) {
  instances_.forget(name);
  GDN_TRY(dispatcher_->forget(name));
  const std::filesystem::path folder = store::instance_folder(folder_, name.agent, name.key);
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);
  if (failed) return os::os_error("cannot delete '" + folder.string() + "'", failed.value());
  return JsonObject{{"deleted", true}, {"agent", name.agent}, {"instanceKey", name.key}};
}

}  // namespace goondan::orchestrator
