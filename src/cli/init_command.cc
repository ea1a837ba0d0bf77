#include <cctype>

#include "cli/commands.h"
#include "cli/embedded.h"
#include "cli/new_file.h"
#include "cli/terminal.h"
#include "os/capture.h"

namespace goondan::cli {
namespace {

constexpr std::chrono::seconds kGitTime{10};

constexpr std::string_view kPrompt =
    "You are a helpful assistant. Use your tools when they help, and say briefly what you did.\n";

constexpr std::string_view kEnvironment =
    "# Keys that the bundle's models need when its agents run. This file is not committed.\n# "
    "ANTHROPIC_API_KEY=\n";

constexpr std::string_view kGitIgnore = ".env\n.env.local\n*.so\n";

// A package name made of the folder's name.
std::string default_name(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::string name = std::filesystem::weakly_canonical(folder, ignored).filename().string();
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    c = std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '-';
  }
  const std::size_t first = name.find_first_not_of('-');
  return first == std::string::npos ? "my-bundle" : name.substr(first);
}

// `name` or `@scope/name`, with letters, digits, '.', '_' and '-'.
bool valid_package_name(std::string_view name) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  const auto part = [&allowed](std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
  };
  if (!name.starts_with('@')) return part(name);
  const std::size_t slash = name.find('/');
  return slash != std::string_view::npos && part(name.substr(1, slash - 1)) &&
         part(name.substr(slash + 1));
}

Result<void> init(const InitRequest& request) {
  const std::filesystem::path folder = request.path;
  const std::string name = request.name.value_or(default_name(folder));
  if (!valid_package_name(name)) {
    return Error{
        .code = ErrorCode::Usage,
        .message = "'" + name + "' cannot be the name of a package",
        .suggestion = "Use letters, digits, '.', '_' and '-', e.g. my-bundle or @me/bundle."};
  }
  GDN_TRY(write_new_files(folder,
                          {{"goondan.yaml", filled_in(embedded::kBundleYaml, name)},
                           {"prompts/default.system.md", std::string(kPrompt)},
                           {"scripts/assistant.yaml", std::string(embedded::kAssistantYaml)},
                           {".env", std::string(kEnvironment)},
                           {".gitignore", std::string(kGitIgnore)}},
                          request.force));
  return {};
}

// `git init`, quietly; a missing git is no reason to fail.
void make_repository(const std::string& folder) {
  const Result<os::Captured> done =
      os::run_captured({.child = {.argv = {"git", "-C", folder, "init", "-q"}},
                        .deadline = Clock::now() + kGitTime});
  if (!done.ok() || !done->status.success()) {
    print_error_line("git init did not work; the bundle is fine without it");
  }
}

}  // namespace

ExitCode run_init(const InitRequest& request) {
  const Result<void> done = init(request);
  if (!done.ok()) {
    print_error(done.error());
    return exit_code_for(done.error().code);
  }
  if (request.git == Answer::Yes) make_repository(request.path);
  print_line("");
  print_line("Next:");
  if (request.path != ".") print_line("  cd " + request.path);
  print_line("  gdn run \"Remember the milk.\"      # no key needed: goondan.yaml says why");
  print_line("  gdn new tool hello                # a tool in C++; with --lang ts in TypeScript");
  print_line("  gdn call hello__greet name=Mina   # builds and calls it");
  return ExitCode::Ok;
}

}  // namespace goondan::cli
