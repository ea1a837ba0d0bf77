// What the commands of `gdn auth` have in common: the applications, the store, the manager's parts.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <goondan/result.h>

#include "base/redactor.h"
#include "cli/auth_commands.h"
#include "net/http_client.h"
#include "oauth/manager.h"
#include "oauth/store/store.h"

namespace goondan::cli {

// A resource: what a manager borrows. Neither moved nor copied once a manager has its parts.
struct AuthParts {
  std::vector<oauth::App> apps = {};
  net::HostPolicy policy = {};
  std::unique_ptr<oauth::Store> store = {};
  std::unique_ptr<net::HttpClient> http = std::make_unique<net::HttpClient>();
  std::unique_ptr<Redactor> redactor = std::make_unique<Redactor>();

  [[nodiscard]] oauth::Manager::Parts for_manager();
};

// Whether tokens have ever been stored there. Looking at them makes no store.
bool has_token_store(const AuthPlace& place);

// The store alone, with no application.
Result<AuthParts> open_token_store(const AuthPlace& place);

// The store, and the applications of the bundle that are `wanted`: all of their variables must be
// set. `E_CONFIG_FILE_NOT_FOUND` without a bundle; `E_NOT_FOUND` without such an application.
Result<AuthParts> open_auth_app(const AuthPlace& place, const std::string& wanted);

// The text of `--subject` without its mode. `E_USAGE` if the mode is not `mode`, if that is given.
Result<std::string> subject_text(const std::string& given, std::string_view mode);

// For tables and JSON.
std::string_view grant_state_text(oauth::GrantInfo::State state);
Json grant_json(const oauth::GrantInfo& grant);
std::string joined_scopes(const std::vector<std::string>& scopes);

}  // namespace goondan::cli
