// The commands of `gdn`: what each was asked for, and the function that does it. `command_line.cc`
// fills the structs; each function prints and returns the exit code.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_codes.h"
#include "cli/turn_words.h"

namespace goondan::cli {

enum class Answer { No, Yes };

struct CallRequest {
  std::string tool;
  std::vector<std::string> words;    // key=value
  std::optional<std::string> input;  // JSON, or "-" for standard input
  std::optional<std::string> bundle;
  std::optional<std::string> workdir;    // none: this folder
  std::vector<std::string> allow_hosts;  // HOST[:PORT]
  std::vector<std::string> allow_roots;  // DIR or DIR:rw
  std::vector<std::string> pass_env;     // names of variables
  TurnWords turn;                        // for whom the tool acts
  std::chrono::milliseconds timeout{0};
  Answer json = Answer::No;
};
ExitCode run_call(const CallRequest& request);

struct RunRequest {
  std::vector<std::string> words;  // [folder] [message]
  std::string swarm;
  std::string agent;
  std::string instance_key;
  std::string state_root;
  std::optional<std::string> env_file;
  Answer watch = Answer::No;
  Answer json = Answer::No;
  Answer wait_handles = Answer::No;
  Answer wait_auth = Answer::No;
  TurnWords turn = {};
};
ExitCode run_swarm(const RunRequest& request);

enum class ToolsFormat { Text, Json, OpenAi, Anthropic, Mcp, Names };

struct ToolsRequest {
  std::optional<std::string> tool;
  std::optional<std::string> bundle;
  std::optional<std::string> agent;
  ToolsFormat format = ToolsFormat::Text;
};
ExitCode run_tools(const ToolsRequest& request);

enum class ReportFormat { Text, Json, GitHub };

struct ValidateRequest {
  std::string path = ".";
  Answer strict = Answer::No;
  ReportFormat format = ReportFormat::Text;
};
ExitCode run_validate(const ValidateRequest& request);

struct InitRequest {
  std::string path = ".";
  std::optional<std::string> name;
  Answer force = Answer::No;
  Answer git = Answer::No;
};
ExitCode run_init(const InitRequest& request);

enum class ToolLanguage { Cpp, TypeScript };

struct NewToolRequest {
  std::string name;
  std::string bundle = ".";
  ToolLanguage language = ToolLanguage::Cpp;
  Answer force = Answer::No;
};
ExitCode run_new_tool(const NewToolRequest& request);

struct DoctorRequest {
  Answer json = Answer::No;
};
ExitCode run_doctor(const DoctorRequest& request);

enum class ExplainFormat { Text, Json, Names };

struct ExplainRequest {
  std::optional<std::string> code;  // none: list all
  ExplainFormat format = ExplainFormat::Text;
};
ExitCode run_explain(const ExplainRequest& request);

enum class Shell { Bash, Zsh, Fish };
ExitCode run_completion(Shell shell);

}  // namespace goondan::cli
