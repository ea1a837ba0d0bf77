// The commands of `gdn auth`: consent, without an agent. Each function prints and returns the exit
// code; none of them prints a token.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace goondan::cli {

// Where the applications and their tokens are.
struct AuthPlace {
  std::optional<std::string> bundle = {};  // none: this folder, if it has one
  std::string state_root = {};
  std::optional<std::string> env_file = {};
  std::vector<std::string> allow_hosts = {};  // HOST[:PORT]
};

struct AuthLoginRequest {
  AuthPlace place;
  std::string app;
  std::string subject = {};  // global=TEXT, user=TEXT, or the text alone; empty: the only one known
  std::vector<std::string> scopes = {};  // empty: all of the application's
  std::chrono::seconds timeout{0};       // 0: as long as the link is good
  Answer json = Answer::No;
  Answer browser = Answer::Yes;
};
ExitCode run_auth_login(const AuthLoginRequest& request);

struct AuthListRequest {
  AuthPlace place;
  Answer json = Answer::No;
};
ExitCode run_auth_list(const AuthListRequest& request);

struct AuthStatusRequest {
  AuthPlace place;
  std::string app;
  std::string subject = {};  // empty: all
  Answer json = Answer::No;
};
ExitCode run_auth_status(const AuthStatusRequest& request);

struct AuthLogoutRequest {
  AuthPlace place;
  std::string app;
  std::string subject = {};  // empty: the only one there is
  Answer all = Answer::No;
  Answer json = Answer::No;
};
ExitCode run_auth_logout(const AuthLogoutRequest& request);

struct AuthRotateRequest {
  AuthPlace place;
};
ExitCode run_auth_rotate_key(const AuthRotateRequest& request);

}  // namespace goondan::cli
