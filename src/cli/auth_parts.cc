#include "cli/auth_parts.h"

#include "base/nearest.h"
#include "cli/bundle_choice.h"
#include "cli/terminal.h"
#include "cli/variables.h"
#include "orchestrator/bundle_environment.h"
#include "resource/swarm_choice.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

fs::path auth_folder(const AuthPlace& place) {
  return store::oauth_folder(store::state_root(place.state_root));
}

Error no_bundle_here(const std::string& app) {
  return {.code = ErrorCode::ConfigFileNotFound,
          .message = "there is no goondan.yaml here, so OAuthApp/" + app + " is not known",
          .suggestion = "Go to the folder of the bundle, or give it with --bundle."};
}

Error no_such_app(const Bundle& bundle, const std::string& app) {
  std::vector<std::string_view> names;
  std::string all;
  const std::vector<OAuthAppResource>& apps = bundle.oauth_apps();
  for (const OAuthAppResource& one : apps) {
    names.push_back(one.meta.name);
    all += (all.empty() ? "" : ", ") + one.meta.name;
  }
  const std::string_view near = nearest(app, names);
  return {.code = ErrorCode::ConfigRefNotFound,
          .message = "the bundle has no OAuthApp '" + app + "'",
          .suggestion = !near.empty() ? "Did you mean " + std::string(near) + "?"
                        : all.empty() ? "It has none. See docs/oauth.md."
                                      : "It has: " + all + "."};
}

// What the swarm may reach beyond what is public, if the bundle says which swarm is meant.
Result<net::HostPolicy> auth_hosts(const AuthPlace& place, const Bundle& bundle) {
  const Result<SwarmResource> swarm = choose_swarm(bundle, "");
  std::vector<std::string> hosts =
      swarm.ok() ? swarm->policy.http_allow : std::vector<std::string>{};
  hosts.insert(hosts.end(), place.allow_hosts.begin(), place.allow_hosts.end());
  return net::HostPolicy::parse(hosts);
}

}  // namespace

oauth::Manager::Parts AuthParts::for_manager() {
  return {
      .apps = apps, .store = *store, .http = *http, .policy = policy, .redactor = redactor.get()};
}

bool has_token_store(const AuthPlace& place) {
  std::error_code ignored;
  return fs::exists(auth_folder(place), ignored);
}

Result<AuthParts> open_token_store(const AuthPlace& place) {
  const fs::path folder = auth_folder(place);
  AuthParts parts;
  oauth::StoreHooks hooks;
  hooks.log = [](LogLevel level, std::string_view line) {
    if (level >= LogLevel::Warn) print_error_line("gdn: " + printable(line));
  };
  parts.store =
      GDN_TRY(oauth::Store::open(folder, oauth::default_key_source(folder), std::move(hooks)));
  return parts;
}

Result<AuthParts> open_auth_app(const AuthPlace& place, const std::string& wanted) {
  const std::optional<Bundle> bundle = GDN_TRY(choose_bundle(place.bundle));
  if (!bundle) return no_bundle_here(wanted);
  const OAuthAppResource* resource = nullptr;
  for (const OAuthAppResource& one : bundle->oauth_apps())
    if (one.meta.name == wanted) resource = &one;
  if (resource == nullptr) return no_such_app(*bundle, wanted);
  std::optional<fs::path> env_file;
  if (place.env_file) env_file = fs::absolute(*place.env_file);
  const orchestrator::AgentEnvironment environment =
      GDN_TRY(orchestrator::agent_environment(bundle->root(), env_file));
  oauth::App app = GDN_TRY(oauth::make_app(*resource, variables_of(environment.entries)));
  net::HostPolicy policy = GDN_TRY(auth_hosts(place, *bundle));
  AuthParts parts = GDN_TRY(open_token_store(place));
  parts.apps.push_back(std::move(app));
  parts.policy = std::move(policy);
  for (const std::string& secret : environment.secrets)
    parts.redactor->add_secret(secret);
  return parts;
}

Result<std::string> subject_text(const std::string& given, std::string_view mode) {
  for (const std::string_view known : {"global", "user"}) {
    if (!given.starts_with(std::string(known) + "=")) continue;
    if (!mode.empty() && known != mode) {
      return Error{.code = ErrorCode::Usage,
                   .message = "--subject " + std::string(known) +
                              "=...: the application's "
                              "subjectMode is " +
                              std::string(mode),
                   .suggestion = "Write --subject " + std::string(mode) + "=TEXT."};
    }
    return given.substr(known.size() + 1);
  }
  return given;
}

}  // namespace goondan::cli
