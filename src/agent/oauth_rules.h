// Which tool may have tokens of which application, and for what.
//
// In the first dialect every handler may ask; what its tool declares under `auth` is the most it
// gets of that application. In `goondan.ai/v1` only tools that the extension `oauth` names get any.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_plan.h"
#include "oauth/manager.h"

namespace goondan::agent {

// Immutable; thread-safe.
class OAuthRules {
 public:
  explicit OAuthRules(const AgentPlan& plan);

  // Fills in what `params` leave to the declaration (`oauthAppRef`, `scopes`), or says why the tool
  // behind the call `name` may not have what it asks for. `E_TOOL_INVALID_ARGS` for params that are
  // none.
  struct Asked {
    oauth::TokenRequest request = {};
    std::optional<oauth::TokenError> refused = {};
  };
  [[nodiscard]] Result<Asked> check(const std::string& name, const Json& params) const;

 private:
  struct Rule {
    std::string app = {};                                 // empty: any
    std::optional<std::vector<std::string>> scopes = {};  // none: all of the application's
    enum class Dialect { First, Current } dialect = Dialect::First;
  };
  void add_declared(const AgentPlan& plan);
  void add_extension(const AgentPlan& plan);
  [[nodiscard]] const Rule* find(const std::string& name) const;

  // By the name that a model sees. All tools of the bundle have one.
  std::map<std::string, Rule, std::less<>> rules_;
  bool first_dialect_extensions_ = false;  // whose tools are known at run time only
  Rule any_ = {};
};

}  // namespace goondan::agent
