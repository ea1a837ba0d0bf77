#include "host/native/compiler.h"

#include <cstdlib>
#include <sstream>
#include <unistd.h>

#include "base/utf8.h"
#include "os/capture.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxCompilerOutput = std::size_t{256} * 1024;
constexpr std::size_t kMaxErrorLines = 5;
constexpr std::size_t kMaxErrorBytes = 2000;

// The compiler's words are read by us, so they must be in a language we know.
std::vector<std::string> build_environment() {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    if (!std::string_view(*at).starts_with("LC_ALL=")) variables.emplace_back(*at);
  }
  variables.emplace_back("LC_ALL=C.UTF-8");
  return variables;
}

}  // namespace

Error build_error(std::string message, std::string suggestion) {
  return {.code = ErrorCode::PluginBuild,
          .message = std::move(message),
          .suggestion = std::move(suggestion)};
}

std::vector<std::string> compiler_command() {
  const char* const variable = std::getenv("CXX");
  std::istringstream words(variable == nullptr ? "" : variable);
  std::vector<std::string> command;
  for (std::string word; words >> word;)
    command.push_back(word);
  if (command.empty()) command.emplace_back("c++");
  return command;
}

Result<void> compile(const std::filesystem::path& entry, std::vector<std::string> command,
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

}  // namespace goondan
