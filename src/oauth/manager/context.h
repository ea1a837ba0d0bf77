// What every part of the manager needs: the applications and their providers, the store, the clock,
// and whoever must know of secrets.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "oauth/manager.h"
#include "oauth/manager/grant_record.h"
#include "oauth/manager/session_record.h"

namespace goondan::oauth {

// Thread-safe.
class Context {
 public:
  explicit Context(Manager::Parts parts);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Store& store() { return parts_.store; }
  [[nodiscard]] RedirectPlace* redirects() { return parts_.redirects; }
  [[nodiscard]] std::int64_t now() const;
  [[nodiscard]] const App* find_app(std::string_view name) const;
  // The application that a session was begun with; null if it is not here, or another has its name.
  [[nodiscard]] const App* app_of(const SessionRecord& session) const;
  [[nodiscard]] Provider& provider(const App& app);

  // From now on these are masked in whatever leaves. State and nonce are not among them: they are
  // part of the link that the person must get whole.
  void learn(const Secret& secret) const;
  void learn(std::string_view secret) const;
  void learn(const Tokens& tokens) const;
  void learn(const GrantRecord& grant) const;
  void learn(const SessionRecord& session) const;

  // To be called without a lock.
  void sessions_changed();

 private:
  Manager::Parts parts_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Provider>, std::less<>> providers_;
};

}  // namespace goondan::oauth
