// What the runtime, the command host and a command's supervisor say to each other.
//
// Two kinds of sockets, both SEQPACKET, so that a message is whole or not there:
//   - one to the command host: a `StartMessage` with descriptors for each command;
//   - one to the supervisor of each command: `CommandOrder`s down, one `CommandReport` up. Closing
//     it is the order to end everything.
// All ends are the same program on the same machine, so structs travel as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "os/unique_fd.h"
#include "os/wait.h"

namespace goondan::os {

// The number of the command host's socket in its process.
inline constexpr int kCommandHostSocket = 3;

// A larger request travels in a memory file beside its message.
inline constexpr std::size_t kMaxInlineBytes = std::size_t{32} * 1024;
// More than any kernel takes as arguments and environment of a program (6 MiB).
inline constexpr std::size_t kMaxRequestBytes = std::size_t{8} * 1024 * 1024;

struct CommandFds {
  UniqueFd control;
  UniqueFd out;
  UniqueFd err;
  UniqueFd folder;  // to start in
};

// What to run. No text holds a NUL.
struct CommandTexts {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // NAME=value

  friend bool operator==(const CommandTexts&, const CommandTexts&) = default;
};

// A request as the command host receives it; its texts are read by the supervisor.
struct StartMessage {
  CommandFds fds;
  UniqueFd large;  // holds the texts if they are too many to travel inline
  std::string texts;
  std::uint32_t arguments = 0;  // how many of the texts are arguments
};

enum class CommandOrder : std::uint32_t {
  Terminate = 1,  // ask the command's process group to end
  Kill = 2,       // end everything
};

// The last word of a supervisor: the command and everything it started have ended.
struct CommandReport {
  enum class How : std::uint32_t { Exited, Signalled, NotStarted };
  enum class When : std::uint32_t { ByItself, AfterOrder };

  How how = How::Exited;
  std::int32_t number = 0;  // exit code, signal, or the `errno` of the start
  When when = When::ByItself;
  std::uint32_t background = 0;  // processes left by a command that ended by itself, now killed
};

// Sends a request. The descriptors are borrowed. Fails with `E_IO` if the other end is gone,
// `E_LIMIT` if there is too much text.
Result<void> send_start(int socket, const CommandTexts& texts, const CommandFds& fds,
                        Deadline deadline, const StopWaker& stop);

enum class Received { Message, Nothing, End };

// Takes one message that has arrived; never waits. `Nothing` also for a message that is damaged.
Received receive_start(int socket, StartMessage& into);

// The texts of a message; nothing if it is damaged.
std::optional<CommandTexts> read_texts(const StartMessage& message);

// For orders and reports: never wait, and a peer that is gone is no error here.
void send_order(int socket, CommandOrder order);
Received receive_order(int socket, CommandOrder& into);
void send_report(int socket, const CommandReport& report);
Received receive_report(int socket, CommandReport& into);

}  // namespace goondan::os
