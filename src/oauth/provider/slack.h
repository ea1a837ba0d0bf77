// Slack's ways (OAuth v2): scopes with commas, failures with status 200, the team and the person in
// the answer itself, tokens of a bot and of a person side by side.
#pragma once

#include <string_view>
#include <vector>

#include "oauth/provider/generic.h"

namespace goondan::oauth {

// An answer of `oauth.v2.access`; the person's token if it is there and the application is for
// persons, else the bot's.
Answer<Tokens> read_slack_tokens(const JsonObject& answer, const TokenExpectation& expected,
                                 OAuthAppResource::SubjectMode subject_mode);

class SlackProvider final : public GenericProvider {
 public:
  using GenericProvider::GenericProvider;

  // From the answer; there is nobody else to ask.
  Answer<Identity> identify(const Tokens& tokens, std::string_view nonce,
                            const Limit& limit) override;

 protected:
  [[nodiscard]] Answer<Tokens> tokens_of(const JsonObject& answer,
                                         const TokenExpectation& expected) const override;
  void add_scopes(const std::vector<std::string>& scopes, Parameters& parameters) const override;
  Answer<std::monostate> revoke_one(std::string_view token, std::string_view hint,
                                    const Limit& limit) override;
};

}  // namespace goondan::oauth
