#include "oauth/manager/context.h"

#include <algorithm>
#include <chrono>

namespace goondan::oauth {

Context::Context(Manager::Parts parts) : parts_(std::move(parts)) {
  for (const App& app : parts_.apps) {
    if (app.client_secret) learn(*app.client_secret);
  }
}

std::int64_t Context::now() const {
  if (parts_.now) return parts_.now();
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

const App* Context::find_app(std::string_view name) const {
  const auto found = std::ranges::find(parts_.apps, name, &App::name);
  return found == parts_.apps.end() ? nullptr : &*found;
}

const App* Context::app_of(const SessionRecord& session) const {
  const App* app = find_app(session.app);
  return app != nullptr && client_of(*app) == session.client ? app : nullptr;
}

Provider& Context::provider(const App& app) {
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<Provider>& provider = providers_[app.name];
  if (!provider) {
    provider =
        parts_.provider ? parts_.provider(app) : make_provider(app, parts_.http, parts_.policy);
  }
  return *provider;
}

void Context::learn(const Secret& secret) const {
  learn(secret.reveal());
}

void Context::learn(std::string_view secret) const {
  if (parts_.redactor != nullptr && !secret.empty()) parts_.redactor->add_secret(secret);
}

void Context::learn(const Tokens& tokens) const {
  learn(tokens.access_token);
  learn(tokens.refresh_token);
  learn(tokens.id_token);
}

void Context::learn(const GrantRecord& grant) const {
  learn(grant.access_token);
  learn(grant.refresh_token);
}

void Context::learn(const SessionRecord& session) const {
  learn(session.code.verifier);
  if (session.device) learn(session.device->device_code);
}

void Context::sessions_changed() {
  if (parts_.redirects != nullptr) parts_.redirects->sessions_changed();
}

}  // namespace goondan::oauth
