#include "host/native/source_build.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include <goondan/plugin_abi.h>

#include "host/native/compiler.h"
#include "host/native/source_hash.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Without the output, which is put behind it.
std::vector<std::string> build_command(const fs::path& entry, const SdkPaths& sdk) {
  std::vector<std::string> command = compiler_command();
  for (const char* const option :
       {"-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,--exclude-libs,ALL"}) {
    command.emplace_back(option);
  }
  command.push_back("-I" + sdk.include.string());
  command.push_back(entry.string());
  command.push_back(sdk.library.string());
  return command;
}

// Everything beside the sources that makes a difference to the result.
std::string build_salt(const std::vector<std::string>& command, const SdkPaths& sdk) {
  std::error_code ignored;
  std::string salt = std::to_string(GDN_ABI_VERSION);
  salt += ' ' + std::to_string(fs::file_size(sdk.library, ignored));
  salt +=
      ' ' + std::to_string(fs::last_write_time(sdk.library, ignored).time_since_epoch().count());
  for (const std::string& word : command)
    salt += ' ' + word;
  return salt;
}

std::string hexadecimal(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto at = text.rbegin(); at != text.rend(); ++at, number >>= 4)
    *at = kDigits[number & 0xF];
  return text;
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code problem;
  const bool made = fs::create_directories(folder, problem);
  // What lies here is run, so nobody else may write to it.
  if (made) fs::permissions(folder, fs::perms::owner_all, problem);
  if (!problem && ::access(folder.c_str(), W_OK) != 0) {
    problem = std::make_error_code(std::errc::permission_denied);
  }
  if (!problem) return {};
  return build_error("cannot write to the folder '" + folder.string() + "': " + problem.message(),
                     "Set GOONDAN_STATE_ROOT to a folder that can be written to.");
}

// Sources that were saved during the build may have made a library that its name does not fit.
Result<void> still_the_same(const fs::path& entry, std::string_view salt, std::uint64_t hash) {
  if (GDN_TRY(hash_sources(entry.parent_path(), salt)) == hash) return {};
  return build_error("the sources of '" + entry.string() + "' changed while they were built",
                     "Call the tool again.");
}

// Different for each build, in this process and in others.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.string() + "." + std::to_string(::getpid()) + "." + std::to_string(++counter) +
         ".tmp";
}

}  // namespace

bool is_plugin_source(const fs::path& entry) {
  constexpr std::array<std::string_view, 3> kEndings{".cc", ".cpp", ".cxx"};
  return std::ranges::find(kEndings, entry.extension().string()) != kEndings.end();
}

Result<fs::path> build_cache_folder() {
  if (const std::string root = variable("GOONDAN_STATE_ROOT"); !root.empty()) {
    return fs::path(root) / "build";
  }
  if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) {
    return fs::path(cache) / "goondan/build";
  }
  if (const std::string home = variable("HOME"); !home.empty()) {
    return fs::path(home) / ".cache/goondan/build";
  }
  return build_error("there is no place for built plugins", "Set GOONDAN_STATE_ROOT or HOME.");
}

Result<fs::path> build_plugin(const fs::path& entry, const SdkPaths& sdk,
                              const std::stop_token& stop) {
  std::vector<std::string> command = build_command(entry, sdk);
  const std::string salt = build_salt(command, sdk);
  const std::uint64_t hash = GDN_TRY(hash_sources(entry.parent_path(), salt));
  const fs::path folder = GDN_TRY(build_cache_folder());
  const fs::path target = folder / (entry.stem().string() + "-" + hexadecimal(hash) + ".so");
  std::error_code problem;
  if (fs::exists(target, problem)) return target;
  GDN_TRY(make_folder(folder));
  const fs::path temporary = temporary_name(target);
  command.insert(command.end(), {"-o", temporary.string()});
  Result<void> compiled = compile(entry, std::move(command), stop);
  if (compiled.ok()) compiled = still_the_same(entry, salt, hash);
  if (compiled.ok()) fs::rename(temporary, target, problem);
  std::error_code ignored;
  fs::remove(temporary, ignored);
  if (!compiled.ok()) return compiled.error();
  if (!problem) return target;
  return build_error("cannot write '" + target.string() + "': " + problem.message(),
                     "Set GOONDAN_STATE_ROOT to a folder that can be written to.");
}

}  // namespace goondan
