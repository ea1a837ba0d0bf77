#include "agent/agent_oauth.h"

#include <algorithm>

#include "agent/oauth_status.h"
#include "base/json_fields.h"
#include "base/log_level.h"
#include "store/layout.h"

namespace goondan::agent {
namespace {

// For the orchestrator to take a message.
constexpr std::chrono::seconds kDeliverTime{10};

Error not_begun() {
  return {.code = ErrorCode::RuntimeUnavailable,
          .message = "the agent has not started its OAuth service yet",
          .suggestion = "Try again in a moment."};
}

oauth::Limit limit_of(const CallRuntime::Caller& caller) {
  return {.deadline = caller.deadline - kAnswerBeforeDeadline, .stop = caller.stop};
}

std::string_view end_name(oauth::CallbackOutcome::Page page) {
  using Page = oauth::CallbackOutcome::Page;
  if (page == Page::Connected) return "completed";
  return page == Page::Expired ? "expired" : "failed";
}

std::string granted_text(const JsonObject& payload) {
  const JsonObject* ref = object_field(payload, "oauthAppRef");
  const std::string app = ref == nullptr ? "" : text_field(*ref, "name");
  return "The person has agreed: " + text_field(payload, "provider") + " (OAuthApp/" + app +
         ") is connected now. Go on with what waited for it.";
}

void log_line(EventSink& sink, LogLevel level, std::string_view text) {
  sink.observe({{"type", "extension.log"},
                {"extension", "oauth"},
                {"level", level_name(level)},
                {"text", text}});
}

}  // namespace

AgentOAuth::AgentOAuth(Parts parts) : parts_(std::move(parts)), rules_(parts_.plan) {}

AgentOAuth::~AgentOAuth() {
  stop();
}

Result<std::unique_ptr<AgentOAuth>> AgentOAuth::open(Parts parts) {
  const Bundle& bundle = parts.plan.bundle;
  if (bundle.oauth_apps().empty()) return std::unique_ptr<AgentOAuth>();
  std::unique_ptr<AgentOAuth> made(new AgentOAuth(std::move(parts)));
  for (const OAuthAppResource& resource : bundle.oauth_apps()) {
    Result<oauth::App> app = oauth::make_app(resource, made->parts_.plan.environment);
    if (app.ok()) {
      made->apps_.push_back(*std::move(app));
    } else {
      made->unusable_[resource.meta.name] = app.error().message;
    }
  }
  const std::filesystem::path folder = store::oauth_folder(made->parts_.state_root);
  made->store_ = GDN_TRY(oauth::Store::open(
      folder, oauth::default_key_source(folder),
      {.log = [&sink = made->parts_.sink](LogLevel level, std::string_view text) {
        log_line(sink, level, text);
      }}));
  return made;
}

Result<void> AgentOAuth::begin(RuntimeClient& runtime) {
  net::HostPolicy hosts = GDN_TRY(net::HostPolicy::parse(parts_.plan.policy.http_allow));
  oauth::Service::Parts parts{
      .manager = {.apps = apps_,
                  .store = *store_,
                  .http = http_,
                  .policy = std::move(hosts),
                  .redactor = parts_.plan.redactor.get()},
      .ours = [this](const oauth::Resume& resume) { return is_ours(resume); },
      .workspace = parts_.workspace,
      .deliver = [this,
                  &runtime](const oauth::GrantedEvent& event) { return tell(runtime, event); },
      .on_outcome = [this](const oauth::CallbackOutcome& outcome) { tell_end(outcome); },
      .on_taken_port =
          [this](const Error& error) { log_line(parts_.sink, LogLevel::Warn, error.message); }};
  // The service's thread tells of no end before it is known what there was.
  const std::lock_guard lock(mutex_);
  service_ = GDN_TRY(oauth::Service::start(std::move(parts)));
  for (const oauth::PendingSession& session : GDN_TRY(service_->manager().pending_sessions())) {
    if (session.resume && is_ours(*session.resume)) left_.insert(session.id);
  }
  return {};
}

void AgentOAuth::stop() {
  ending_.request_stop();
  if (service_) service_->stop();
}

bool AgentOAuth::is_ours(const oauth::Resume& resume) const {
  return resume.workspace == parts_.workspace && resume.agent_name == parts_.plan.agent.meta.name &&
         resume.instance_key == parts_.instance_key;
}

// The same session is never told twice: the orchestrator knows the message's id.
Result<void> AgentOAuth::tell(RuntimeClient& runtime, const oauth::GrantedEvent& event) const {
  return runtime.enqueue({.id = "auth-granted-" + event.session_id,
                          .source = "oauth",
                          .target = event.resume.agent_name,
                          .instance_key = event.resume.instance_key,
                          .text = granted_text(event.payload),
                          .event_type = "auth.granted",
                          .metadata = {{"event", event.payload}},
                          .origin = event.resume.origin,
                          .auth = event.resume.auth},
                         Clock::now() + kDeliverTime, ending_.get_token());
}

// Once for each session.
void AgentOAuth::tell_required(const oauth::TokenResult& result, const std::string& app) {
  const auto* required = std::get_if<oauth::AuthorizationRequired>(&result);
  if (required == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    if (!told_.insert(required->session_id).second) return;
  }
  JsonObject observation{{"type", "auth.required"},
                         {"authSessionId", required->session_id},
                         {"app", app},
                         {"authorizationUrl", required->authorization_url},
                         {"expiresAt", required->expires_at}};
  if (!required->user_code.empty()) {
    observation["verificationUri"] = required->verification_uri;
    observation["userCode"] = required->user_code;
  }
  parts_.sink.observe(std::move(observation));
}

void AgentOAuth::tell_end(const oauth::CallbackOutcome& outcome) {
  {
    const std::lock_guard lock(mutex_);
    if (told_.erase(outcome.session_id) + left_.erase(outcome.session_id) == 0) return;
  }
  JsonObject observation{{"type", "auth.ended"},
                         {"authSessionId", outcome.session_id},
                         {"app", outcome.app},
                         {"status", end_name(outcome.page)}};
  if (!outcome.problem.empty()) observation["problem"] = outcome.problem;
  parts_.sink.observe(std::move(observation));
}

bool AgentOAuth::serves(std::string_view method) const {
  return method.starts_with("oauth.");
}

Result<Json> AgentOAuth::request(const CallRuntime::Caller& caller, std::string_view method,
                                 const Json& params) {
  if (!service_) return not_begun();
  if (method == "oauth.getAccessToken") return token(caller, params);
  if (method == "oauth.status") return status(caller, params);
  if (method == "oauth.connect") return connect(caller, params);
  return Error{.code = ErrorCode::RuntimeUnavailable,
               .message = "the runtime knows no '" + std::string(method) + "'"};
}

oauth::Resume AgentOAuth::resume_of(const CallScope& scope) const {
  return {.workspace = parts_.workspace,
          .swarm = parts_.plan.swarm_name,
          .instance_key = parts_.instance_key,
          .agent_name = parts_.plan.agent.meta.name,
          .origin = scope.origin,
          .auth = scope.auth};
}

Result<Json> AgentOAuth::token(const CallRuntime::Caller& caller, const Json& params) {
  OAuthRules::Asked asked = GDN_TRY(rules_.check(caller.call.name, params));
  if (asked.refused) return to_json(oauth::TokenResult(*std::move(asked.refused)));
  return to_json(ask_manager(caller, std::move(asked.request)));
}

oauth::TokenResult AgentOAuth::ask_manager(const CallRuntime::Caller& caller,
                                           oauth::TokenRequest request) {
  const auto broken = unusable_.find(request.app);
  if (broken != unusable_.end())
    return oauth::TokenError{.code = "configurationError", .message = broken->second};
  request.auth = caller.scope.auth;
  request.resume = resume_of(caller.scope);
  oauth::TokenResult result = service_->manager().get_access_token(request, limit_of(caller));
  tell_required(result, request.app);
  return result;
}

Result<Json> AgentOAuth::status(const CallRuntime::Caller& caller, const Json& params) {
  return oauth_status(service_->manager(), {.apps = apps_,
                                            .unusable = unusable_,
                                            .auth = caller.scope.auth,
                                            .params = object_or_empty(params)});
}

// Only for `oauth__connect`: whoever may not have tokens may still send a person to agree.
Result<Json> AgentOAuth::connect(const CallRuntime::Caller& caller, const Json& params) {
  const std::string app = text_field(object_or_empty(params), "app");
  const oauth::TokenResult result = ask_manager(caller, {.app = app});
  if (std::holds_alternative<oauth::TokenReady>(result))
    return JsonObject{{"status", "connected"}, {"app", app}};
  return to_json(result);
}

JsonArray AgentOAuth::blocks(const TurnMessage& input) const {
  if (!service_) return {};
  const Result<std::vector<oauth::PendingSession>> sessions =
      service_->manager().pending_sessions();
  if (!sessions.ok()) return {};
  JsonArray items;
  for (const oauth::PendingSession& session : *sessions) {
    const bool here = session.resume && is_ours(*session.resume);
    if (here && acts_for(input.auth, session.subject)) items.push_back(session.to_item());
  }
  if (items.empty()) return {};
  return {JsonObject{{"type", "auth.pending"}, {"items", std::move(items)}}};
}

}  // namespace goondan::agent
