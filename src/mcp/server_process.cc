#include "mcp/server_process.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/socket.h>
#include <unistd.h>

#include "os/os_error.h"
#include "os/supervised_child.h"

namespace goondan::mcp {
namespace {

struct Ends {
  os::UniqueFd ours;
  os::UniqueFd theirs;
};

// Only our end does not block: the other one is a file of its own.
Result<Ends> make_output() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return os::os_error("cannot make a pipe", errno);
  Ends ends{.ours = os::UniqueFd(fds[0]), .theirs = os::UniqueFd(fds[1])};
  if (::fcntl(fds[0], F_SETFL, O_NONBLOCK) != 0) return os::os_error("cannot make a pipe", errno);
  return ends;
}

Result<Ends> make_input() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0) {
    return os::os_error("cannot make a socket", errno);
  }
  Ends ends{.ours = os::UniqueFd(fds[0]), .theirs = os::UniqueFd(fds[1])};
  // Nothing is ever read from it: what the server writes there must not pile up.
  ::shutdown(fds[0], SHUT_RD);
  return ends;
}

Result<ServerProcess> start(const Server& server) {
  Ends input = GDN_TRY(make_input());
  Ends output = GDN_TRY(make_output());
  Ends error = GDN_TRY(make_output());
  os::Child child = GDN_TRY(os::spawn_supervised({.argv = server.command,
                                                  .environment = server.environment,
                                                  .folder = server.folder,
                                                  .fds = {{input.theirs.get(), STDIN_FILENO},
                                                          {output.theirs.get(), STDOUT_FILENO},
                                                          {error.theirs.get(), STDERR_FILENO}}}));
  return ServerProcess{.input = std::move(input.ours),
                       .output = std::move(output.ours),
                       .error = std::move(error.ours),
                       .child = std::move(child)};
}

}  // namespace

Result<ServerProcess> start_process(const Server& server) {
  std::error_code unknown;
  if (!server.folder.empty() && !std::filesystem::is_directory(server.folder, unknown)) {
    return Error{.code = ErrorCode::McpServer,
                 .message = "the server '" + server.name +
                            "' cannot be started: there is no folder '" + server.folder + "'",
                 .suggestion = "Make it, or correct the server's `cwd`."};
  }
  Result<ServerProcess> started = start(server);
  if (started.ok()) return started;
  return Error{
      .code = ErrorCode::McpServer,
      .message = "the server '" + server.name + "' cannot be started: " + started.error().message,
      .suggestion =
          started.error().code == ErrorCode::NotFound
              ? "Install '" + server.command.front() + "', or correct the server's `command`."
              : started.error().suggestion};
}

}  // namespace goondan::mcp
