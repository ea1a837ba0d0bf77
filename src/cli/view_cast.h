// Who takes part in a run: how each instance is called and told from the others.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <goondan/json.h>

#include "cli/terminal.h"

namespace goondan::cli {

struct Member {
  std::string name = {};  // as it is shown
  Style colour = Style::Plain;
  std::size_t depth = 0;  // how many agents wait for its turn, as far as that shows
};

// Instances in the order in which they were first seen. Thread-compatible. References stay valid.
class Cast {
 public:
  // `usual_key` is left out of the names.
  explicit Cast(std::string usual_key) : usual_key_(std::move(usual_key)) {}

  // The instance that an observation is about, by `agentName` and `instanceKey`.
  Member& of(const JsonObject& observation);
  Member& of(std::string_view agent, std::string_view key);
  Member& of(std::string_view name);  // "agent@key"
  // A turn has begun; its `source` says who waits for it.
  void place(Member& member, const JsonObject& observation);

  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] const std::string& usual_key() const { return usual_key_; }

 private:
  std::string usual_key_;
  std::map<std::string, Member, std::less<>> members_;
};

}  // namespace goondan::cli
