#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include <goondan/bundle.h>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/run_front.h"
#include "cli/terminal.h"
#include "resource/diagnostic_render.h"
#include "resource/swarm_choice.h"
#include "store/layout.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

struct Words {
  std::string folder = ".";
  std::optional<std::string> message = {};
};

bool names_bundle(const std::string& word) {
  std::error_code ignored;
  return fs::is_directory(word, ignored) || word.ends_with(".yaml") || word.ends_with(".yml");
}

// Nobody greets an agent like that: it is a folder, and misspelt.
bool looks_like_folder(const std::string& word) {
  return (word.starts_with("./") || word.starts_with("../") || word == "..") &&
         word.find_first_of(" \t\n") == std::string::npos;
}

Error no_folder(const std::string& word) {
  return {.code = ErrorCode::Usage,
          .message = "there is no folder '" + word + "'",
          .suggestion = "gdn run [DIR] \"message\": put the message into quotes."};
}

Result<Words> read_words(const std::vector<std::string>& words) {
  Words read;
  std::size_t next = 0;
  if (!words.empty() && names_bundle(words.front())) read.folder = words[next++];
  if (next < words.size()) read.message = words[next++];
  if (next < words.size() && (words.size() > 2 || next > 1)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "the message is more than one word",
                 .suggestion = "gdn run [DIR] \"message\": put the message into quotes."};
  }
  if (next < words.size() || (next == 1 && read.message && looks_like_folder(*read.message))) {
    return no_folder(words.front());
  }
  if (read.message && read.message->find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{.code = ErrorCode::Usage,
                 .message = "the message is empty",
                 .suggestion = "gdn run [DIR] \"message\""};
  }
  return read;
}

// Nothing if the bundle has errors; they have been printed then.
std::optional<Bundle> checked_bundle(const std::string& folder) {
  const BundleReport report = Bundle::check(folder);
  if (!report.ok()) {
    const Colour colour = use_colour(Stream::Err) ? Colour::Yes : Colour::No;
    std::string text = render_text(report, colour);
    while (text.ends_with('\n'))
      text.pop_back();
    print_error_line(text);
  } else if (!report.diagnostics.empty()) {
    print_error_line("gdn: the bundle has warnings; `gdn validate` shows them");
  }
  return report.bundle;
}

bool missing(const std::string& folder) {
  std::error_code ignored;
  return !fs::exists(folder, ignored) ||
         (fs::is_directory(folder, ignored) && !fs::exists(fs::path(folder) / "goondan.yaml") &&
          !fs::exists(fs::path(folder) / "goondan.yml"));
}

Result<void> check_agent(const SwarmResource& swarm, const std::string& agent) {
  std::vector<std::string_view> names;
  std::string all;
  for (const ObjectRef& ref : swarm.agents) {
    names.push_back(ref.name);
    all += (all.empty() ? "" : ", ") + ref.name;
  }
  if (agent.empty() || std::ranges::find(names, agent) != names.end()) return {};
  const std::string_view near = nearest(agent, names);
  return Error{.code = ErrorCode::ConfigAgentNotFound,
               .message = "swarm '" + swarm.meta.name + "' has no agent '" + agent + "'",
               .suggestion = near.empty() ? "It has: " + all + "."
                                          : "Did you mean " + std::string(near) + "?"};
}

Result<std::optional<std::string>> checked_env_file(const std::optional<std::string>& given) {
  std::error_code ignored;
  if (!given || fs::is_regular_file(*given, ignored)) {
    return given ? std::optional(fs::absolute(*given, ignored).string()) : given;
  }
  return Error{.code = ErrorCode::ConfigFileNotFound,
               .message = "there is no file '" + *given + "' (--env-file)",
               .suggestion = "Give the path of a file with lines NAME=value."};
}

Result<FrontOptions> front_options(const RunRequest& request, const Bundle& bundle,
                                   const Words& words) {
  using Input = FrontOptions::Input;
  const SwarmResource swarm = GDN_TRY(choose_swarm(bundle, request.swarm));
  GDN_TRY(check_agent(swarm, request.agent));
  std::optional<std::string> env_file = GDN_TRY(checked_env_file(request.env_file));
  const fs::path root = store::state_root(request.state_root);
  const std::string workspace =
      store::workspace_name(swarm.meta.name, swarm.instance_key, bundle.root());
  JsonObject surroundings = GDN_TRY(turn_surroundings(request.turn));
  FrontOptions options{.link = {.workspace_folder = store::workspace_folder(root, workspace),
                                .bundle = bundle.root(),
                                .swarm = swarm.meta.name,
                                .state_root = root,
                                .env_file = std::move(env_file),
                                .watch = request.watch},
                       .message = words.message.value_or(""),
                       .agent = request.agent,
                       .instance_key = request.instance_key,
                       .wait_handles = request.wait_handles,
                       .wait_auth = request.wait_auth,
                       .surroundings = std::move(surroundings)};
  if (!words.message) {
    options.input = ::isatty(STDIN_FILENO) == 1 ? Input::Terminal : Input::Lines;
  }
  return options;
}

ExitCode refused(const Error& error) {
  print_error(error);
  return exit_code_for(error.code);
}

}  // namespace

ExitCode run_swarm(const RunRequest& request) {
  const Result<Words> words = read_words(request.words);
  if (!words.ok()) return refused(words.error());
  const std::optional<Bundle> bundle = checked_bundle(words->folder);
  if (!bundle && missing(words->folder)) {
    if (request.words.size() == 1 && words->message) {
      print_error_line("gdn: '" + printable(*words->message) +
                       "' was taken for the message, as there is no such folder");
    }
    return ExitCode::Config;
  }
  if (!bundle) return ExitCode::Validation;
  const Result<FrontOptions> options = front_options(request, *bundle, *words);
  if (!options.ok()) return refused(options.error());
  Signals signals;
  const ViewKind kind = request.json == Answer::Yes ? ViewKind::Json : suitable_view();
  const std::unique_ptr<View> view =
      make_view(kind, request.instance_key.empty() ? "default" : request.instance_key);
  return Front(*options, *view, signals).run();
}

}  // namespace goondan::cli
