#include "host/native/source_build.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <goondan/plugin_abi.h>

#include "base/utf8.h"
#include "host/native/source_hash.h"
#include "os/capture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCompilerOutput = 256 * 1024;
constexpr std::size_t kMaxErrorLines = 5;
constexpr std::size_t kMaxErrorBytes = 2000;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? std::string() : std::string(value);
}

Error build_error(std::string message, std::string suggestion) {
  return {.code = ErrorCode::PluginBuild,
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

// `$CXX` may hold options, e.g. "ccache g++".
std::vector<std::string> compiler() {
  std::istringstream words(variable("CXX"));
  std::vector<std::string> command;
  for (std::string word; words >> word;)
    command.push_back(word);
  if (command.empty()) command.emplace_back("c++");
  return command;
}

// Without the output, which is put behind it.
std::vector<std::string> build_command(const fs::path& entry, const SdkPaths& sdk) {
  std::vector<std::string> command = compiler();
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
  fs::create_directories(folder, problem);
  if (!problem) return {};
  return build_error("cannot make the folder '" + folder.string() + "': " + problem.message(),
                     "Set GOONDAN_STATE_ROOT to a folder that can be written to.");
}

// Different for each build, in this process and in others.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.string() + "." + std::to_string(::getpid()) + "." + std::to_string(++counter) +
         ".tmp";
}

// The compiler's words are read by us, so they must be in a language we know.
std::vector<std::string> build_environment() {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    if (!std::string_view(*at).starts_with("LC_ALL=")) variables.emplace_back(*at);
  }
  variables.emplace_back("LC_ALL=C.UTF-8");
  return variables;
}

Result<void> compile(const fs::path& entry, std::vector<std::string> command,
                     const std::stop_token& stop) {
  const std::string name = command.front();
  const Result<os::Captured> run =
      os::run_captured({.child = {.argv = std::move(command), .environment = build_environment()},
                        .max_output = kMaxCompilerOutput,
                        .deadline = Clock::now() + kBuildTime},
                       os::StopWaker(stop));
  if (!run.ok()) {
    return build_error(
        "plugin '" + entry.string() + "' needs a C++ compiler: " + run.error().message,
        "Install one (on Debian: apt-get install g++), or set CXX.");
  }
  if (run->ended == os::Wake::Stopped) {
    return Error{.code = ErrorCode::ToolCancelled, .message = "the build was cancelled"};
  }
  if (run->ended == os::Wake::TimedOut) {
    return build_error("building '" + entry.string() + "' took more than " +
                           std::to_string(kBuildTime.count()) + " seconds",
                       "Build the plugin beforehand and let `entry` name the .so file.");
  }
  if (run->status.success()) return {};
  return build_error(
      "plugin '" + entry.string() + "' does not compile:\n" + first_errors(run->output),
      "Mend the source; `" + name + "` ended with " + run->status.text() + ".");
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

std::string first_errors(std::string_view compiler_output) {
  std::vector<std::string> errors;
  std::vector<std::string> lines;
  std::istringstream in{std::string(compiler_output)};
  for (std::string line; std::getline(in, line);) {
    const bool error = line.find("error:") != std::string::npos ||
                       line.find("undefined reference") != std::string::npos ||
                       line.find("undefined symbol") != std::string::npos;
    if (error && errors.size() < kMaxErrorLines) errors.push_back(line);
    lines.push_back(std::move(line));
    if (lines.size() > kMaxErrorLines) lines.erase(lines.begin());
  }
  std::string text;
  for (const std::string& line : errors.empty() ? lines : errors)
    text += (text.empty() ? "" : "\n") + line;
  return utf8::repaired(utf8::prefix(text, kMaxErrorBytes));
}

Result<fs::path> build_plugin(const fs::path& entry, const SdkPaths& sdk, std::stop_token stop) {
  std::vector<std::string> command = build_command(entry, sdk);
  const std::uint64_t hash = GDN_TRY(hash_sources(entry.parent_path(), build_salt(command, sdk)));
  const fs::path folder = GDN_TRY(build_cache_folder());
  const fs::path target = folder / (entry.stem().string() + "-" + hexadecimal(hash) + ".so");
  std::error_code problem;
  if (fs::exists(target, problem)) return target;
  GDN_TRY(make_folder(folder));
  const fs::path temporary = temporary_name(target);
  command.insert(command.end(), {"-o", temporary.string()});
  const Result<void> compiled = compile(entry, std::move(command), stop);
  if (compiled.ok()) fs::rename(temporary, target, problem);
  std::error_code ignored;
  fs::remove(temporary, ignored);
  if (!compiled.ok()) return compiled.error();
  if (!problem) return target;
  return build_error("cannot write '" + target.string() + "': " + problem.message(),
                     "Set GOONDAN_STATE_ROOT to a folder that can be written to.");
}

}  // namespace goondan
