// The `config` of the shipped extension `oauth`: which tools get tokens.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::shipped {

// A value. The token is handed to the tool as one of its arguments, which the model neither sees
// nor can set.
struct OAuthToolRule {
  std::string tool = {};                                // as a model sees it: `slack__send`
  std::string app = {};                                 // the name of an OAuthApp
  std::optional<std::vector<std::string>> scopes = {};  // none: all of the application's
  std::string argument = "token";
};

struct OAuthConfig {
  std::vector<OAuthToolRule> tools = {};
  std::vector<std::string> apps = {};  // that `oauth__status` and `oauth__connect` know; empty: all
};

// `{tools: [{tool, app, scopes?, argument?}], apps?: [name]}`. `E_EXT_INIT` says what is wrong.
Result<OAuthConfig> read_oauth_config(const std::string& extension, const JsonObject& config);

}  // namespace goondan::shipped
