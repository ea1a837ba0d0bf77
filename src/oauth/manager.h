// The one who reads and writes tokens (S3 §12.5). Everything that tools, extensions and commands
// want of OAuth passes here.
//
// Thread-safe, and one among several processes with the same store: what must happen once (a
// refresh, the use of a code, a poll) is done under the store's lock of its record, after reading
// what the others have left there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "base/redactor.h"
#include "oauth/app.h"
#include "oauth/provider.h"
#include "oauth/store/store.h"

namespace goondan::oauth {

inline constexpr std::int64_t kDefaultMinTtlSeconds = 300;
inline constexpr std::chrono::seconds kSessionLife{600};
inline constexpr std::size_t kMaxPendingSessions = 64;  // in the whole store
inline constexpr std::size_t kMaxPendingSessionsOfOneSubject = 32;

// Where a turn goes on once its person has agreed.
struct Resume {
  std::string workspace = {};  // which runtime's; see `store::Layout`
  std::string swarm = {};
  std::string instance_key = {};
  std::string agent_name = {};
  Json origin = nullptr;
  Json auth = nullptr;
};

struct TokenRequest {
  std::string app = {};
  std::optional<std::vector<std::string>> scopes = {};  // none: all of the application's
  std::int64_t min_ttl_seconds = kDefaultMinTtlSeconds;
  Json auth = nullptr;                // `turn.auth`
  std::optional<Resume> resume = {};  // none: nobody waits (the command line)

  // `{oauthAppRef: {kind, name} | "OAuthApp/name", scopes?, minTtlSeconds?}`; auth and resume are
  // the caller's to add. `E_TOOL_INVALID_ARGS`.
  static Result<TokenRequest> parse(const Json& params);
};

struct TokenReady {
  Secret access_token;
  std::string token_type = {};
  std::string expires_at = {};  // RFC 3339; empty: it does not expire
  std::vector<std::string> scopes = {};
};

struct AuthorizationRequired {
  std::string session_id = {};
  std::string authorization_url = {};  // with a device code: where the code is entered
  std::string expires_at = {};
  std::string message = {};
  std::string verification_uri = {};  // device code only
  std::string user_code = {};         // device code only
};

struct TokenError {
  std::string code =
      {};  // oauthAppNotFound, subjectUnavailable, scopeNotAllowed, ... (docs/oauth.md)
  std::string message = {};
};

using TokenResult = std::variant<TokenReady, AuthorizationRequired, TokenError>;
// As S0 §8.1 shows it. Holds the token: for the handler that asked, and nobody else.
Json to_json(const TokenResult& result);

// `auth.granted` as it is told to the agent that waits.
struct GrantedEvent {
  std::string session_id = {};
  Resume resume = {};
  JsonObject payload = {};  // {type, oauthAppRef, provider, subject, scopesGranted, grantId}
};

// What a browser that came back is shown, and what has become of the session.
struct CallbackOutcome {
  // `Pending`: nothing is decided yet; only a device code's poll, or a provider that cannot be
  // reached before the code was sent, ends so.
  enum class Page { Connected, Refused, Failed, Unknown, Expired, Used, Pending };
  Page page = Page::Failed;
  std::string session_id = {};  // empty: no session of ours
  std::string app = {};
  std::string problem = {};  // a code of FACTS.md §10: invalid_state, subject_mismatch, ...
  std::optional<GrantedEvent> granted = {};  // only if somebody waits
};

// Where browsers come back to. Implemented by `Service`.
class RedirectPlace {
 public:
  virtual ~RedirectPlace() = default;
  // Begins to listen for callbacks of `app`, if nobody does, and says the redirect URI.
  virtual Result<std::string> redirect_uri(const App& app) = 0;
  // A session is pending or no longer is; whoever listens or polls looks again.
  virtual void sessions_changed() = 0;
};

// A session that is pending, without its secrets.
struct PendingSession {
  std::string id = {};
  std::string app = {};
  std::string provider = {};
  std::string subject_mode = {};
  std::string subject = {};
  std::string authorization_url = {};
  std::string redirect_uri = {};  // empty: a device code
  std::string expires_at = {};
  std::string message = {};
  std::string verification_uri = {};
  std::string user_code = {};
  std::int64_t next_poll_at = 0;  // device code: seconds since 1970
  std::optional<Resume> resume = {};

  // An item of the block `auth.pending` (S3 §12.5.8).
  [[nodiscard]] Json to_item() const;
};

// A grant, without its secrets.
struct GrantInfo {
  std::string id = {};
  std::string app = {};
  std::string provider = {};
  std::string subject = {};
  std::vector<std::string> scopes = {};
  std::string expires_at = {};
  // `OfAnother`: given to another client or service than the application of this name here is.
  enum class State { Valid, Expired, Revoked, OfAnother } state = State::Valid;
  bool refreshable = false;
  std::string created_at = {};
  std::string updated_at = {};
};

class Manager {
 public:
  struct Parts {
    std::vector<App> apps;
    Store& store;
    net::HttpClient& http;
    net::HostPolicy policy = {};
    RedirectPlace* redirects = nullptr;  // null: no session can be begun
    Redactor* redactor = nullptr;        // learns every secret that passes; null: none
    // Seconds since 1970; for tests. Empty: the clock.
    std::function<std::int64_t()> now = {};
    // For tests and for applications with ways of their own. Empty: `make_provider`.
    std::function<std::unique_ptr<Provider>(const App&)> provider = {};
  };

  explicit Manager(Parts parts);
  ~Manager();

  TokenResult get_access_token(const TokenRequest& request, const Limit& limit);

  // A new session whatever there is, for `gdn auth login` and `oauth__connect`.
  TokenResult begin_session(const TokenRequest& request, const Limit& limit);

  // A browser came back: the decoded parameters of the query, repeats kept.
  CallbackOutcome complete(const std::vector<std::pair<std::string, std::string>>& parameters,
                           const Limit& limit);

  // Asks once for a device code whose time has come; nothing happens before `next_poll_at`.
  CallbackOutcome poll(const std::string& session_id, const Limit& limit);

  // Those that are pending and not too old; what is too old is marked so, what is long over is
  // removed.
  Result<std::vector<PendingSession>> pending_sessions();
  // Grants whose agent has not been told yet.
  Result<std::vector<GrantedEvent>> undelivered(const std::string& workspace);
  Result<void> mark_delivered(const std::string& session_id);
  // The session's status: pending, completed, failed, expired; empty: unknown.
  Result<std::string> session_status(const std::string& session_id);
  // Ends a session nobody wants any more.
  Result<void> abandon_session(const std::string& session_id);

  Result<std::vector<GrantInfo>> grants();
  // Revokes at the provider, then forgets. `E_NOT_FOUND`. A provider that cannot be reached does
  // not keep the grant alive here; the result says so.
  struct Logout {
    bool revoked_at_provider = false;
    std::string problem = {};
  };
  Result<Logout> logout(const std::string& app, const std::string& subject, const Limit& limit);

  [[nodiscard]] const App* find_app(std::string_view name) const;

  // For the cases of `vectors/core.jsonl`.
  static bool scopes_allowed(const std::vector<std::string>& requested,
                             const std::vector<std::string>& allowed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace goondan::oauth
