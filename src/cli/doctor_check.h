// One thing that `gdn doctor` looks at.
#pragma once

#include <string>

namespace goondan::cli {

enum class Health { Ok, Warn, Fail };

struct Check {
  std::string name;
  Health health;
  std::string detail;
  std::string hint = {};
};

// The store of OAuth tokens: who could read its key. Makes nothing.
Check check_token_store();
// What changesets need.
Check check_git_library();

}  // namespace goondan::cli
