// The commands that look at and change what swarms have left on disk or run now: `ps`, `logs`,
// `trace`, `instance`, `restart`, `handles`. Each function prints and returns the exit code.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/workspace_choice.h"

namespace goondan::cli {

struct PsRequest {
  WorkspaceOptions where;
  Answer json = Answer::No;
};
ExitCode run_ps(const PsRequest& request);

inline constexpr std::size_t kDefaultLogLines = 200;

struct LogsRequest {
  WorkspaceOptions where;
  std::string agent;
  std::string instance_key;
  std::string trace;  // the beginning of its id
  std::size_t lines = kDefaultLogLines;
  Answer follow = Answer::No;
  Answer json = Answer::No;
};
ExitCode run_logs(const LogsRequest& request);

enum class TraceFormat { Text, Json, Otlp };

struct TraceRequest {
  WorkspaceOptions where;
  std::optional<std::string> id;  // its beginning, or "last"; none: list them
  std::size_t limit = 20;
  TraceFormat format = TraceFormat::Text;
};
ExitCode run_trace(const TraceRequest& request);

enum class InstanceVerb { List, Delete };

struct InstanceRequest {
  WorkspaceOptions where;
  InstanceVerb verb = InstanceVerb::List;
  std::string agent;
  std::string key;
  Answer json = Answer::No;
};
ExitCode run_instance(const InstanceRequest& request);

struct RestartRequest {
  WorkspaceOptions where;
  std::string agent;  // empty: everything
  Answer fresh = Answer::No;
};
ExitCode run_restart(const RestartRequest& request);

enum class HandlesVerb { List, Wait, Complete, Cancel };

struct HandlesRequest {
  WorkspaceOptions where;
  HandlesVerb verb = HandlesVerb::List;
  std::string handle;
  std::optional<std::string> output;  // JSON, or text
  std::optional<std::string> error;   // a message
  std::chrono::milliseconds timeout{0};
  Answer json = Answer::No;
};
ExitCode run_handles(const HandlesRequest& request);

// The code of a command that went well, or that of its error, which is printed.
ExitCode finish_command(const Result<ExitCode>& outcome);

}  // namespace goondan::cli
