#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sys/syscall.h>
#include <unistd.h>

#include <goondan/bundle.h>
#include <goondan/json.h>

#include "cli/bundle_choice.h"
#include "cli/commands.h"
#include "cli/doctor_check.h"
#include "cli/terminal.h"
#include "host/native/program_paths.h"
#include "host/native/source_build.h"
#include "host/script/script_runtime.h"
#include "os/capture.h"

namespace goondan::cli {
namespace {

constexpr std::chrono::seconds kProbeTime{10};

std::string_view health_text(Health health) {
  switch (health) {
    case Health::Ok:
      return "ok";
    case Health::Warn:
      return "warn";
    case Health::Fail:
      return "fail";
  }
  return "fail";
}

// The first line that `argv` prints; nothing if it cannot be run.
std::optional<std::string> first_line_of(std::vector<std::string> argv) {
  const Result<os::Captured> done =
      os::run_captured({.child = {.argv = std::move(argv)}, .deadline = Clock::now() + kProbeTime});
  if (!done.ok() || !done->status.success()) return std::nullopt;
  return done->output.substr(0, done->output.find('\n'));
}

Check check_compiler() {
  const char* chosen = std::getenv("CXX");
  const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
  if (const auto version = first_line_of({compiler, "--version"})) {
    return {"compiler", Health::Ok, *version};
  }
  return {"compiler", Health::Warn, "'" + compiler + "' cannot be run",
          "Tools given as C++ source cannot be built. Install one: apt-get install g++"};
}

Check check_sdk() {
  const Result<SdkPaths> sdk = sdk_paths();
  if (sdk.ok()) return {"plugin headers", Health::Ok, sdk->include.string()};
  return {"plugin headers", Health::Warn, sdk.error().message, sdk.error().suggestion};
}

// A warning only: a bundle without tools and extensions in these languages needs none.
Check check_scripts() {
  const Result<ScriptRuntime> runtime = find_script_runtime();
  if (!runtime.ok()) {
    return {"scripts", Health::Warn, runtime.error().message, runtime.error().suggestion};
  }
  const std::string which = runtime->text() + " (" + runtime->program + ")";
  if (runtime->runs_typescript())
    return {"scripts", Health::Ok, which + ": JavaScript, TypeScript"};
  return {"scripts", Health::Warn, which + ": JavaScript, but no TypeScript",
          "For TypeScript install Bun (https://bun.sh), or Node 22.6 or later."};
}

Check check_worker() {
  const Result<std::filesystem::path> program = worker_program();
  if (program.ok()) return {"plugin worker", Health::Ok, program->string()};
  return {"plugin worker", Health::Fail, program.error().message, program.error().suggestion};
}

Check check_cache() {
  const Result<std::filesystem::path> folder = build_cache_folder();
  if (!folder.ok()) {
    return {"build cache", Health::Fail, folder.error().message, folder.error().suggestion};
  }
  std::error_code failed;
  std::filesystem::create_directories(*folder, failed);
  if (!failed && ::access(folder->c_str(), W_OK) == 0) {
    return {"build cache", Health::Ok, folder->string()};
  }
  return {"build cache", Health::Fail, folder->string() + " cannot be written",
          "Set GOONDAN_STATE_ROOT to a folder of yours."};
}

Check check_kernel() {
  const long descriptor = ::syscall(SYS_pidfd_open, ::getpid(), 0);
  if (descriptor >= 0) {
    ::close(static_cast<int>(descriptor));
    return {"kernel", Health::Ok, "process descriptors are available"};
  }
  return {"kernel", Health::Fail, "pidfd_open is not available",
          "Linux 5.3 or later is needed; some container sandboxes block it."};
}

// What https needs and gdn does not bring along.
Check check_tls() {
  void* const library = ::dlopen("libssl.so.3", RTLD_LAZY);
  if (library == nullptr) {
    return {"https", Health::Warn, "OpenSSL 3 is not installed",
            "Only http can be used. Install it: apt-get install libssl3 ca-certificates"};
  }
  ::dlclose(library);
  std::error_code ignored;
  const char* const chosen = std::getenv("SSL_CERT_FILE");
  const std::filesystem::path trusted =
      chosen != nullptr ? chosen : "/etc/ssl/certs/ca-certificates.crt";
  if (std::filesystem::exists(trusted, ignored)) return {"https", Health::Ok, trusted.string()};
  return {"https", Health::Warn, "no trusted certificates at " + trusted.string(),
          "No https server can be trusted. Install them: apt-get install ca-certificates"};
}

Check check_bundle() {
  if (!has_bundle(".")) {
    return {"bundle", Health::Ok, "none in this folder"};
  }
  const BundleReport report = Bundle::check(".");
  if (report.ok()) return {"bundle", Health::Ok, "the bundle in this folder is valid"};
  return {"bundle", Health::Fail, "the bundle in this folder has errors", "Run: gdn validate"};
}

void print_check(const Check& check) {
  const Style style = check.health == Health::Ok     ? Style::Green
                      : check.health == Health::Warn ? Style::Yellow
                                                     : Style::Red;
  std::string status(health_text(check.health));
  status.resize(5, ' ');
  std::string name = check.name;
  name.resize(16, ' ');
  print_line(styled(status, style, Stream::Out) + name + printable(check.detail));
  if (!check.hint.empty()) print_line(std::string(21, ' ') + printable(check.hint));
}

Json check_json(const Check& check) {
  JsonObject object{
      {"name", check.name}, {"status", health_text(check.health)}, {"detail", check.detail}};
  if (!check.hint.empty()) object["hint"] = check.hint;
  return object;
}

}  // namespace

ExitCode run_doctor(const DoctorRequest& request) {
  const std::vector<Check> checks{
      check_kernel(), check_worker(), check_compiler(),    check_sdk(),         check_scripts(),
      check_cache(),  check_tls(),    check_token_store(), check_git_library(), check_bundle()};
  JsonArray all;
  for (const Check& check : checks) {
    if (request.json == Answer::Yes) {
      all.push_back(check_json(check));
    } else {
      print_check(check);
    }
  }
  const bool failed = std::any_of(checks.begin(), checks.end(),
                                  [](const Check& check) { return check.health == Health::Fail; });
  if (request.json == Answer::Yes) {
    print_line(to_text(Json{{"healthy", !failed}, {"checks", std::move(all)}}));
  }
  return failed ? ExitCode::Error : ExitCode::Ok;
}

}  // namespace goondan::cli
