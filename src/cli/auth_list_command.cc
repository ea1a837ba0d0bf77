#include "cli/auth_parts.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

// Without the link, which is for the person who was asked.
Json session_json(const oauth::PendingSession& session) {
  JsonObject object{{"authSessionId", session.id},         {"app", session.app},
                    {"provider", session.provider},        {"subject", session.subject},
                    {"subjectMode", session.subject_mode}, {"expiresAt", session.expires_at}};
  if (session.resume) object["agent"] = session.resume->agent_name;
  return object;
}

std::string expiry_text(const oauth::GrantInfo& grant) {
  if (grant.expires_at.empty()) return "never";
  return grant.expires_at + (grant.refreshable ? " (renewed)" : "");
}

void print_grants(const std::vector<oauth::GrantInfo>& grants,
                  const std::vector<oauth::PendingSession>& sessions) {
  Table table({"APP", "SUBJECT", "STATE", "EXPIRES", "SCOPES"});
  for (const oauth::GrantInfo& grant : grants) {
    table.add({grant.app, grant.subject, std::string(grant_state_text(grant.state)),
               expiry_text(grant), joined_scopes(grant.scopes)});
  }
  for (const oauth::PendingSession& session : sessions)
    table.add({session.app, session.subject, "waits for consent", session.expires_at, ""});
  if (table.empty()) return print_error_line("nothing is connected; see gdn auth login --help");
  print(table.text());
}

void print_all(Answer json, const std::vector<oauth::GrantInfo>& grants,
               const std::vector<oauth::PendingSession>& sessions) {
  if (json == Answer::No) return print_grants(grants, sessions);
  JsonArray grant_list;
  JsonArray session_list;
  for (const oauth::GrantInfo& grant : grants)
    grant_list.push_back(grant_json(grant));
  for (const oauth::PendingSession& session : sessions)
    session_list.push_back(session_json(session));
  print_line(to_text(
      JsonObject{{"grants", std::move(grant_list)}, {"sessions", std::move(session_list)}}));
}

Result<ExitCode> list_auth(const AuthListRequest& request) {
  if (!has_token_store(request.place)) {
    print_all(request.json, {}, {});
    return ExitCode::Ok;
  }
  AuthParts parts = GDN_TRY(open_token_store(request.place));
  oauth::Manager manager(parts.for_manager());
  const std::vector<oauth::GrantInfo> grants = GDN_TRY(manager.grants());
  const std::vector<oauth::PendingSession> sessions = GDN_TRY(manager.pending_sessions());
  print_all(request.json, grants, sessions);
  return ExitCode::Ok;
}

// Whether a call could have a token of it now.
bool is_usable(const oauth::GrantInfo& grant) {
  using State = oauth::GrantInfo::State;
  return grant.state == State::Valid || (grant.state == State::Expired && grant.refreshable);
}

Result<ExitCode> show_status(const AuthStatusRequest& request) {
  const std::string subject = GDN_TRY(subject_text(request.subject, {}));
  std::vector<oauth::GrantInfo> found;
  if (has_token_store(request.place)) {
    AuthParts parts = GDN_TRY(open_token_store(request.place));
    oauth::Manager manager(parts.for_manager());
    for (oauth::GrantInfo& grant : GDN_TRY(manager.grants())) {
      const bool fits = subject.empty() || grant.subject == subject;
      if (grant.app == request.app && fits) found.push_back(std::move(grant));
    }
  }
  const bool usable = std::any_of(found.begin(), found.end(), is_usable);
  if (request.json == Answer::Yes) {
    JsonArray grants;
    for (const oauth::GrantInfo& grant : found)
      grants.push_back(grant_json(grant));
    print_line(to_text(
        JsonObject{{"app", request.app}, {"connected", usable}, {"grants", std::move(grants)}}));
  } else if (found.empty()) {
    print_error_line(printable(request.app) + " is not connected; gdn auth login " +
                     printable(request.app));
  } else {
    print_grants(found, {});
  }
  return usable ? ExitCode::Ok : ExitCode::Auth;
}

}  // namespace

ExitCode run_auth_list(const AuthListRequest& request) {
  return finish_command(list_auth(request));
}

ExitCode run_auth_status(const AuthStatusRequest& request) {
  return finish_command(show_status(request));
}

}  // namespace goondan::cli
