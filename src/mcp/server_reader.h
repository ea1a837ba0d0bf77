// The reading side of a server over pipes, from its first message to the end of its process.
#pragma once

#include <string_view>

#include "mcp/line_buffer.h"
#include "mcp/line_writer.h"
#include "mcp/message_sorter.h"
#include "mcp/pace.h"
#include "mcp/server_process.h"
#include "mcp/stderr_lines.h"
#include "os/wait.h"

namespace goondan::mcp {

// How long a server may take to end by itself after its input has ended, and then after SIGTERM.
inline constexpr std::chrono::milliseconds kCloseTime{500};
inline constexpr std::chrono::milliseconds kTermTime{1'000};
// How long is waited for the reason of an end.
inline constexpr std::chrono::milliseconds kReasonTime{500};

// What is read of it at most in one `kPaceWhile`: messages that nobody asked for, bytes of its
// standard error.
inline constexpr std::size_t kMaxUnaskedMessages = 1'000;
inline constexpr std::size_t kMaxStderrBytes = std::size_t{1} << 20;

// Owns the process; borrows the rest. Confined to the transport's thread.
class ServerReader {
 public:
  struct Parts {
    std::string_view name;
    PendingRequests& pending;
    LineWriter& writer;
    ServerLog& log;
    const OnMessage& on_message;
    int wake;  // an eventfd: something has been queued in `writer`
  };

  ServerReader(Parts parts, ServerProcess process);

  // Reads, and writes what is queued, until the stop or until there is nothing more to hear; says
  // why.
  Error run(const os::StopWaker& stop);

  // Ends the process as the protocol wants it: end of its input, a signal, force.
  void end();

 private:
  enum class Got { Some, Nothing, End };

  template <class Take>
  static Got read_once(int fd, Take take);
  Result<Got> read_messages();
  void read_stderr();
  void settle_wake() const;
  bool wait_for_end(Deadline deadline);
  Error server_ended();
  [[nodiscard]] Deadline next_turn() const;

  Parts parts_;
  os::UniqueFd output_;
  os::UniqueFd error_;
  os::Child child_;
  LineBuffer lines_{kMaxMessageBytes};
  StderrLines stderr_lines_;
  MessageSorter sorter_;
  Pace messages_pace_{kMaxUnaskedMessages};
  Pace stderr_pace_{kMaxStderrBytes};
};

}  // namespace goondan::mcp
