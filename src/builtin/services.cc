#include "builtin/services.h"

#include <unistd.h>

#include "os/command_host.h"
#include "policy/environment.h"

namespace goondan::builtin {
namespace {

std::vector<std::string> own_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    entries.emplace_back(*entry);
  return entries;
}

std::vector<os::FolderGrant> folder_grants(const std::vector<Policy::FileRoot>& roots) {
  std::vector<os::FolderGrant> grants;
  for (const Policy::FileRoot& root : roots) {
    const bool write = root.access == Policy::FileRoot::Access::ReadWrite;
    grants.push_back(
        {.path = root.path, .access = write ? os::Access::ReadWrite : os::Access::Read});
  }
  return grants;
}

}  // namespace

Result<os::Workspace> Services::workspace(const ToolContext& context) const {
  return workspaces->at(context.workdir());
}

Result<std::shared_ptr<const Services>> make_services(const BuiltinOptions& options) {
  auto services = std::make_shared<Services>();
  services->hosts = GDN_TRY(net::HostPolicy::parse(options.policy.http_allow));
  services->workspaces = std::make_shared<Workspaces>(folder_grants(options.policy.file_roots),
                                                      options.guarded_folders);
  services->redactor = options.redactor ? options.redactor : make_redactor();
  if (options.redactor) services->masking = Services::Masking::ByExecutor;
  const std::vector<std::string> entries = own_environment();
  services->shell_environment = without_secrets(entries, options.policy.env_pass);
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    services->environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  services->http = std::make_shared<net::HttpClient>();
  services->commands = std::make_shared<os::CommandHost>(
      os::CommandHostOptions{.environment = services->shell_environment});
  return std::shared_ptr<const Services>(std::move(services));
}

}  // namespace goondan::builtin
