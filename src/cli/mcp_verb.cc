#include "cli/mcp_verb.h"

#include <CLI/CLI.hpp>

#include "cli/terminal.h"

namespace goondan::cli {
namespace {

constexpr std::int64_t kLongest = 86'400'000;  // ms

void add_repeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                  const std::string& what) {
  command.add_option(name, values, what + "; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Error usage_problem(const std::string& verb, std::string message) {
  return {.code = ErrorCode::Usage,
          .message = std::move(message),
          .suggestion = "gdn mcp " + verb + " --help"};
}

Error missing_word(const std::string& verb, const std::string& what) {
  return usage_problem(verb, "gdn mcp " + verb + " needs " + what);
}

}  // namespace

McpVerb McpVerb::add(CLI::App& mcp, const std::string& name, const std::string& what,
                     const std::string& words) {
  McpVerb verb{.command = mcp.add_subcommand(name, what)};
  if (!words.empty()) verb.command->add_option("words", *verb.words, words)->expected(0, -1);
  return verb;
}

void McpVerb::flag(const std::string& name, const std::string& what) const {
  command->add_flag("--" + name, (*flags)[name], what);
}

Answer McpVerb::answer(const std::string& name) const {
  return flags->at(name) ? Answer::Yes : Answer::No;
}

void add_mcp_timeout(CLI::App& command, std::chrono::milliseconds& timeout,
                     const std::string& what) {
  command
      .add_option_function<std::int64_t>(
          "--timeout-ms",
          [&timeout](const std::int64_t& given) { timeout = std::chrono::milliseconds(given); },
          what)
      ->check(CLI::Range(std::int64_t{1}, kLongest));
}

void add_mcp_bundle(CLI::App& command, McpServerChoice& where) {
  command.add_option("--bundle", where.bundle, "Folder with goondan.yaml (default: this one)");
  command.add_option("--env-file", where.env_file,
                     "File of variables, read after .env and .env.local");
  command.add_option("--state-root", where.state_root,
                     "Folder of the state (default: $GOONDAN_STATE_ROOT, else ~/.goondan)");
}

void add_mcp_where(CLI::App& command, McpServerChoice& where) {
  add_mcp_bundle(command, where);
  add_repeated(command, "--header", where.headers, "'Name: value' to send, for an address");
  add_repeated(command, "--env", where.env, "NAME=value for the server's program");
  static const std::map<std::string, mcp::Era> kEras{
      {"auto", mcp::Era::Unknown}, {"modern", mcp::Era::Modern}, {"legacy", mcp::Era::Legacy}};
  command
      .add_option_function<std::string>(
          "--era", [&where](const std::string& given) { where.era = kEras.at(given); },
          "Family of the protocol: auto (default), modern or legacy")
      ->check(CLI::IsMember({"auto", "modern", "legacy"}));
  add_mcp_timeout(command, where.timeout, "Time limit (default: 60000)");
}

void add_mcp_services(CLI::App& command, McpServerChoice& where) {
  command.add_option("--elicit", where.elicit,
                     "Answer its questions: decline, defaults (of the question), or JSON");
  command.add_option("--sample", where.sample, "Answer its requests to the model with this text");
  add_repeated(command, "--roots", where.roots, "Folder to tell the server of");
}

McpTaker::McpTaker(const McpVerb& verb, const McpWords& split, McpServerChoice& where)
    : verb_(verb.command->get_name()), words_(*verb.words) {
  where.command = split.command;
  if (split.dashes == McpWords::Dashes::None) {
    where.server = take("SERVER: a name from the bundle, an address, or `-- COMMAND` at the end");
  } else if (split.command.empty()) {
    problem_ = missing_word(verb_, "the server's command after `--`");
  }
}

std::string McpTaker::take(const std::string& what) {
  if (next_ < words_.size()) return words_[next_++];
  if (!problem_) problem_ = missing_word(verb_, what);
  return {};
}

std::optional<std::string> McpTaker::take_if_there() {
  return next_ < words_.size() ? std::optional(words_[next_++]) : std::nullopt;
}

std::vector<std::string> McpTaker::rest() {
  std::vector<std::string> left(words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end());
  next_ = words_.size();
  return left;
}

std::function<ExitCode()> McpTaker::then(std::function<ExitCode()> action) {
  if (!problem_ && next_ < words_.size()) {
    problem_ = usage_problem(verb_, "'" + words_[next_] + "' is one word too many");
  }
  if (!problem_) return action;
  return [problem = *problem_] {
    print_error(problem);
    return ExitCode::Usage;
  };
}

}  // namespace goondan::cli
