#include "cli/run_message.h"

#include "base/ids.h"
#include "base/json_fields.h"
#include "store/instance_store.h"
#include "store/layout.h"

namespace goondan::cli {

SentMessage::SentMessage(std::string text, FollowUps follow_ups)
    : id_(make_id("msg_")), text_(std::move(text)), follow_ups_(follow_ups) {}

void SentMessage::accepted(const JsonObject& reply) {
  accepted_ = true;
  agent_ = text_field(reply, "agent");
  instance_key_ = text_field(reply, "instanceKey");
  if (true_field(reply, "duplicate")) seen_ = true;
}

void SentMessage::fail(Error error) {
  done_ = true;
  outcome_.error = std::move(error);
}

bool SentMessage::is_ours(const JsonObject& observation) const {
  if (text_field(observation, "id") == id_) return true;
  return turns_.contains(text_field(observation, "turnId"));
}

std::optional<std::string> SentMessage::observe(const JsonObject& observation) {
  const std::string type = text_field(observation, "type");
  const std::string id = text_field(observation, "id");
  if (id == id_) seen_ = true;
  if (type == "turn.started") {
    const bool resumed = follow_ups_ == FollowUps::AndResumed && true_field(observation, "resumed");
    const bool told = follow_ups_ != FollowUps::No &&
                      (id.starts_with("injections_") || id.starts_with(kGrantedMessage));
    const bool follows = (resumed || told) && text_field(observation, "agentName") == agent_ &&
                         text_field(observation, "instanceKey") == instance_key_;
    if (id == id_ || follows) turns_.insert(text_field(observation, "turnId"));
    return std::nullopt;
  }
  if (!is_ours(observation)) return std::nullopt;
  // The orchestrator has the last word, but tells no more than the turn itself if that was heard.
  const bool finished = type == "message.finished" && !done_;
  const bool failed = type == "turn.failed" || (finished && observation.contains("error"));
  if (!failed && !finished && type != "turn.completed") return std::nullopt;
  // The other turns of it are known by their own ids.
  if (id == id_) done_ = true;
  if (failed) {
    outcome_.error = error_from(any_field(observation, "error"));
    return std::nullopt;
  }
  outcome_.response = text_field(observation, "response");
  return outcome_.response;
}

std::optional<JsonObject> stored_end(const std::filesystem::path& workspace_folder,
                                     const SentMessage& message) {
  const Result<std::unique_ptr<store::InstanceStore>> instance =
      store::InstanceStore::open_for_reading(
          store::instance_folder(workspace_folder, message.agent(), message.instance_key()));
  if (!instance.ok()) return std::nullopt;
  const Result<std::optional<store::TurnRecord>> turn = (*instance)->find_turn(message.id());
  if (!turn.ok() || !*turn || (*turn)->state != store::TurnState::Done) return std::nullopt;
  const Result<Json> outcome = parse_json((*turn)->outcome);
  if (!outcome.ok() || !outcome->is_object()) return std::nullopt;
  JsonObject end = outcome->get_object();
  end["type"] = text_field(end, "status") == "error" ? "turn.failed" : "turn.completed";
  end["timestamp"] = iso_now();
  end["agentName"] = message.agent();
  end["instanceKey"] = message.instance_key();
  end["turnId"] = (*turn)->turn_id;
  end["traceId"] = (*turn)->trace_id;
  end["id"] = message.id();
  end["stepCount"] = (*turn)->steps;
  return end;
}

}  // namespace goondan::cli
