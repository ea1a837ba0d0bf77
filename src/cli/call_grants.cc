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

}  // namespace

Result<Policy> call_policy(const CallRequest& request, const std::optional<Bundle>& bundle) {
  Policy policy = bundle_policy(bundle);
  std::ranges::copy(request.allow_hosts, std::back_inserter(policy.http_allow));
  std::ranges::copy(request.pass_env, std::back_inserter(policy.env_pass));
  for (const std::string& text : request.allow_roots)
    policy.file_roots.push_back(GDN_TRY(read_root(text)));
  return policy;
}

}  // namespace goondan::cli
