#include <dlfcn.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/doctor_check.h"
#include "oauth/store/store.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

constexpr const char* kTokens = "tokens";
constexpr mode_t kForOthers = S_IRWXG | S_IRWXO;

std::string mode_text(mode_t mode) {
  std::string text;
  for (int shift = 6; shift >= 0; shift -= 3)
    text += static_cast<char>('0' + ((mode >> shift) & 7U));
  return text;
}

Check judge_key(const std::string& folder, const std::string& key) {
  struct stat found {};
  if (::stat(key.c_str(), &found) != 0) {
    return {kTokens, Health::Fail, "the key " + key + " is not there",
            "Without it the tokens in " + folder +
                " cannot be read. Put it back, or remove that folder and log in again."};
  }
  if (found.st_uid != ::geteuid()) {
    return {kTokens, Health::Fail, "the key " + key + " belongs to somebody else",
            "Make it yours: chown " + std::to_string(::geteuid()) + " " + key};
  }
  if ((found.st_mode & kForOthers) != 0) {
    return {kTokens, Health::Fail,
            "others may read the key " + key + " (mode " + mode_text(found.st_mode) + ")",
            "chmod 600 " + key + " && gdn auth rotate-key"};
  }
  return {kTokens, Health::Ok,
          folder + ", key " + key + " (mode " + mode_text(found.st_mode) + ")"};
}

}  // namespace

Check check_token_store() {
  const std::filesystem::path folder = store::oauth_folder(store::state_root());
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored))
    return {kTokens, Health::Ok, "none yet; they will be in " + folder.string()};
  return judge_key(folder.string(), oauth::default_key_source(folder).file.string());
}

Check check_git_library() {
  constexpr const char* kLibrary = "libgit2.so.1.5";
  void* const library = ::dlopen(kLibrary, RTLD_LAZY);
  if (library == nullptr) {
    return {"changesets", Health::Warn, "libgit2 1.5 is not installed",
            "Agents cannot change their bundle. Install it: apt-get install libgit2-1.5"};
  }
  ::dlclose(library);
  return {"changesets", Health::Ok, kLibrary};
}

}  // namespace goondan::cli
