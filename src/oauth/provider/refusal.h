// Answers that are none: how they are taken, and what of them may be shown.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/error.h>

#include "oauth/provider.h"

namespace goondan::oauth {

// The secrets that went out with a request. A provider may send them back in its error text.
class RequestSecrets {
 public:
  RequestSecrets(std::initializer_list<std::string_view> secrets);
  // Whether one of them stands in `text`, as it is or percent-encoded.
  [[nodiscard]] bool stand_in(std::string_view text) const;

 private:
  std::vector<std::string> forms_;
};

ProviderError broken(std::string code, std::string message);

// How the codes of RFC 6749 §5.2, RFC 8628 §3.5, Slack and GitHub are taken; `Broken` for others.
Refusal refusal_of(std::string_view code);

// A code as far as it may be shown: at most 64 letters, digits, `_`, `.`, `-`; else empty.
std::string shown_code(std::string_view code, const RequestSecrets& secrets);

// A description for people as far as it may be shown: on one line, at most 200 code points, and
// nothing of it if it holds a secret.
std::string shown_description(std::string_view text, const RequestSecrets& secrets);

// A request that got no answer, or one that was cut. What the network does is no reason to forget
// anything.
ProviderError unanswered(const Error& error);

}  // namespace goondan::oauth
