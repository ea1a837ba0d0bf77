#include "oauth/manager/owner.h"

namespace goondan::oauth {
namespace {

constexpr std::string_view kMismatch = "subject_mismatch";
constexpr std::string_view kUnknown = "subject_unknown";

}  // namespace

std::string wrong_owner(Context& context, const App& app, const SessionRecord& session,
                        const Tokens& tokens, const Limit& limit) {
  const bool user = session.subject_mode == OAuthAppResource::SubjectMode::User;
  Identity identity = tokens.identity;
  // An id token that came is checked in any case; without one, nobody is asked for a workspace.
  if (user || !tokens.id_token.empty()) {
    Answer<Identity> answer =
        context.provider(app).identify(tokens, session.code.nonce.reveal(), limit);
    if (std::holds_alternative<ProviderError>(answer)) return std::string(kUnknown);
    identity = std::get<Identity>(std::move(answer));
  }
  if (user && identity.user.empty()) return std::string(kUnknown);
  const std::string& owner = user ? identity.user : identity.global;
  return owner.empty() || owner == session.subject ? std::string() : std::string(kMismatch);
}

}  // namespace goondan::oauth
