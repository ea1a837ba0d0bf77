// OAuth of one agent instance: tokens for its tools, links for its people, and the news that
// somebody has agreed.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "agent/agent_plan.h"
#include "agent/oauth_rules.h"
#include "agent/runtime_client.h"
#include "agent/runtime_service.h"
#include "agent/turn_runner.h"
#include "net/http_client.h"
#include "oauth/service.h"

namespace goondan::agent {

// Serves `oauth.getAccessToken`, `oauth.status` and `oauth.connect`. Thread-safe once `begin` has
// returned; before that all that is asked ends with an error.
class AgentOAuth final : public RuntimeService {
 public:
  struct Parts {
    const AgentPlan& plan;
    std::filesystem::path state_root;
    std::string workspace;  // the swarm's folder in it
    std::string instance_key;
    EventSink& sink;
  };

  // Null if the bundle has no application: then nothing is opened. Fails if the store of tokens
  // cannot be used.
  static Result<std::unique_ptr<AgentOAuth>> open(Parts parts);
  ~AgentOAuth() override;

  // Takes up what a process before this one has left. Messages go out through `runtime`.
  Result<void> begin(RuntimeClient& runtime);
  // Nothing listens and nothing is polled any more.
  void stop();

  [[nodiscard]] bool serves(std::string_view method) const override;
  Result<Json> request(const CallRuntime::Caller& caller, std::string_view method,
                       const Json& params) override;

  // `auth.pending` (S3 §12.5.8): the links that wait for whom this turn acts for.
  [[nodiscard]] JsonArray blocks(const TurnMessage& input) const;

 private:
  explicit AgentOAuth(Parts parts);
  Result<Json> token(const CallRuntime::Caller& caller, const Json& params);
  Result<Json> status(const CallRuntime::Caller& caller, const Json& params);
  Result<Json> connect(const CallRuntime::Caller& caller, const Json& params);
  // On behalf of whom the caller's turn acts.
  oauth::TokenResult ask_manager(const CallRuntime::Caller& caller, oauth::TokenRequest request);
  [[nodiscard]] oauth::Resume resume_of(const CallScope& scope) const;
  [[nodiscard]] bool is_ours(const oauth::Resume& resume) const;
  Result<void> tell(RuntimeClient& runtime, const oauth::GrantedEvent& event) const;
  void tell_required(const oauth::TokenResult& result, const std::string& app);
  void tell_end(const oauth::CallbackOutcome& outcome);

  Parts parts_;
  OAuthRules rules_;
  std::vector<oauth::App> apps_;
  std::map<std::string, std::string, std::less<>> unusable_;  // application -> why
  std::unique_ptr<oauth::Store> store_;
  net::HttpClient http_;
  std::stop_source ending_;
  std::mutex mutex_;
  std::set<std::string> told_;  // sessions that whoever watches knows of
  std::set<std::string> left_;  // by a process before this one, which may have told of them
  std::unique_ptr<oauth::Service> service_;
};

}  // namespace goondan::agent
