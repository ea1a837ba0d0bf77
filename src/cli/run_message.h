// One message to an agent, and what comes of it.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include <goondan/json.h>

#include "cli/run_view.h"

namespace goondan::cli {

// How the ids of messages begin that tell an agent of a consent; the session's id follows.
inline constexpr std::string_view kGrantedMessage = "auth-granted-";

// Thread-compatible. Sent again under the same id, it is still one message to the orchestrator.
class SentMessage {
 public:
  // Yes: turns that answer what has come to the same instance later are answers to it as well.
  // They cannot be told from those of another command line where there is one. AndResumed: so are
  // turns that an earlier run has left.
  enum class FollowUps { No, Yes, AndResumed };

  SentMessage(std::string text, FollowUps follow_ups);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& agent() const { return agent_; }
  [[nodiscard]] const std::string& instance_key() const { return instance_key_; }

  // The orchestrator has it on disk.
  void accepted(const JsonObject& reply);
  [[nodiscard]] bool is_accepted() const { return accepted_; }
  // It will not be answered.
  void fail(Error error);

  // Learns from an observation. The answer, if it holds one.
  std::optional<std::string> observe(const JsonObject& observation);
  [[nodiscard]] bool done() const { return done_; }  // its turn has ended
  // It was taken up in this connection, as far as was seen: its end must show.
  [[nodiscard]] bool seen() const { return seen_; }
  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }

 private:
  [[nodiscard]] bool is_ours(const JsonObject& observation) const;

  std::string id_;
  std::string text_;
  FollowUps follow_ups_;
  std::string agent_;
  std::string instance_key_;
  std::set<std::string> turns_;
  RunOutcome outcome_;
  bool accepted_ = false;
  bool seen_ = false;
  bool done_ = false;
};

// The end of a message's turn as the instance has it on disk, as an observation. For an end that
// nobody has told of, because whoever should have died first.
std::optional<JsonObject> stored_end(const std::filesystem::path& workspace_folder,
                                     const SentMessage& message);

}  // namespace goondan::cli
