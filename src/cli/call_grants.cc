#include "cli/call_grants.h"

#include <algorithm>
#include <filesystem>

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;
using Root = Policy::FileRoot;

Policy bundle_policy(const std::optional<Bundle>& bundle) {
  if (!bundle || bundle->swarms().size() != 1) return {};
  Policy policy = bundle->swarms().front().policy;
  for (Root& root : policy.file_roots)
    root.path = (bundle->root() / root.path).lexically_normal().string();
  return policy;
}

// `DIR` or `DIR:rw`.
Result<Root> read_root(std::string_view text) {
  constexpr std::string_view kWritable = ":rw";
  const bool writable = text.ends_with(kWritable);
  if (writable) text.remove_suffix(kWritable.size());
  std::error_code failed;
  const fs::path folder = fs::canonical(fs::path(text), failed);
  if (failed || !fs::is_directory(folder, failed)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "--allow-root '" + std::string(text) + "' is not a folder",
                 .suggestion = "Give an existing folder, with :rw at its end to allow writing."};
  }
  return Root{.path = folder.string(),
              .access = writable ? Root::Access::ReadWrite : Root::Access::Read};
}

Result<void> check_variable(const std::string& name) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  if (!name.empty() && name.find_first_not_of(kAllowed) == std::string::npos) return {};
  return Error{.code = ErrorCode::Usage,
               .message = "--pass-env '" + name + "' is not the name of a variable",
               .suggestion = "Give one name, without a value; repeat the option for more."};
}

}  // namespace

std::string bundle_grants(const std::optional<Bundle>& bundle) {
  const Policy policy = bundle_policy(bundle);
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const Root& root : policy.file_roots)
    add(root.path + (root.access == Root::Access::ReadWrite ? " (write)" : " (read)"));
  for (const std::string& host : policy.http_allow)
    add(host);
  for (const std::string& name : policy.env_pass)
    add("$" + name);
  return text;
}

Result<Policy> call_policy(const CallRequest& request, const std::optional<Bundle>& bundle) {
  Policy policy = bundle_policy(bundle);
  std::ranges::copy(request.allow_hosts, std::back_inserter(policy.http_allow));
  for (const std::string& name : request.pass_env) {
    GDN_TRY(check_variable(name));
    policy.env_pass.push_back(name);
  }
  for (const std::string& text : request.allow_roots)
    policy.file_roots.push_back(GDN_TRY(read_root(text)));
  return policy;
}

}  // namespace goondan::cli
