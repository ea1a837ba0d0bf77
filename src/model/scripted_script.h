// What the file of a scripted model says, read and checked. Values, shared by all requests.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/tool.h>

#include "model/model.h"

namespace re2 {
class RE2;
}

namespace goondan::scripted {

inline constexpr std::size_t kMaxReplies = 1000;
inline constexpr std::size_t kMaxCalls = 64;                            // of one reply
inline constexpr std::size_t kMaxReplyBytes = std::size_t{1} << 20;     // references replaced
inline constexpr std::size_t kMaxPatternMemory = std::size_t{1} << 20;  // bytes

// All that is there must hold.
struct When {
  // Of one message: the last of the user, or one of the results since the model last spoke.
  std::optional<Role> role = {};
  std::vector<std::string> contains = {};
  std::optional<std::string> equals = {};
  std::shared_ptr<const re2::RE2> matches = {};
  std::optional<std::string> tool = {};
  std::optional<CallStatus> status = {};
  // Of the conversation.
  std::vector<std::string> system = {};  // texts in the system prompt
  std::optional<std::size_t> turn = {};
  std::optional<std::size_t> step = {};

  [[nodiscard]] bool about_a_message() const {
    return role || !contains.empty() || equals || matches || tool || status;
  }
};

// Strings in `args` hold references.
struct Call {
  std::string tool = {};
  Json args = JsonObject{};
  std::optional<std::string> raw_arguments = {};
  std::string id = {};  // empty: made from its place in the conversation
};

struct Failure {
  Error error = {};
  std::size_t times = 0;  // 0: for good; else so many attempts fail before the answer comes
};

struct Reply {
  std::string where = {};  // `script.yaml:3:5`
  When when = {};
  std::optional<std::size_t> times = {};
  std::string text = {};  // holds references
  std::vector<Call> calls = {};
  std::optional<Failure> failure = {};
  std::chrono::milliseconds delay = {};
  std::chrono::milliseconds piece_delay = {};
  std::optional<FinishReason> finish = {};
  Usage usage = {};
};

struct Script {
  std::string file = {};
  std::vector<Reply> replies = {};
};

}  // namespace goondan::scripted
