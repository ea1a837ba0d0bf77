#include "orchestrator/handover.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_fields.h"
#include "os/exec_pointers.h"
#include "os/file_bytes.h"
#include "os/os_error.h"
#include "os/own_program.h"

namespace goondan::orchestrator {
namespace {

constexpr int kOwnerSocket = 3;
// Queue and unread bytes of one connection, and the few words before them.
constexpr std::size_t kMaxHandoverBytes = ipc::kMaxQueuedBytes + 4 * ipc::kMaxMessageBytes;

// One line of JSON, then the bytes of the owner's connection.
std::string written(const Handover& handover) {
  JsonObject head{{"lock", handover.lock.get()},
                  {"listener", handover.listener.get()},
                  {"owner", handover.owner.socket.get()},
                  {"watching", handover.owner.watching == OwnerState::Watching::Yes},
                  {"received", handover.owner.received.size()},
                  {"reason", handover.reason},
                  {"beganMs", handover.began_ms}};
  if (handover.soft_open_files) head["openFiles"] = *handover.soft_open_files;
  return to_text(head) + "\n" + handover.owner.received + handover.owner.unsent;
}

Result<os::UniqueFd> memory_file(std::string_view text) {
  os::UniqueFd file(::memfd_create("gdn-handover", MFD_CLOEXEC));
  if (!file || !os::write_all(file.get(), text)) {
    return os::os_error("cannot keep what the next program needs", errno);
  }
  return file;
}

enum class AcrossExec { Closed, Kept };

void set_across_exec(int fd, AcrossExec across) {
  if (fd >= 0) ::fcntl(fd, F_SETFD, across == AcrossExec::Kept ? 0 : FD_CLOEXEC);
}

void set_across_exec(const Handover& handover, AcrossExec across) {
  for (const int fd : {handover.lock.get(), handover.listener.get(), handover.owner.socket.get()})
    set_across_exec(fd, across);
}

Result<std::string> read_whole(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || status.st_size <= 0 ||
      static_cast<std::size_t>(status.st_size) > kMaxHandoverBytes) {
    return Error{.code = ErrorCode::Usage, .message = "--handover names no handover"};
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  if (::pread(fd, text.data(), text.size(), 0) != status.st_size) {
    return os::os_error("cannot read what the program before this one left", errno);
  }
  return text;
}

os::UniqueFd descriptor(const JsonObject& head, std::string_view key) {
  return os::UniqueFd(static_cast<int>(integer_field(head, key).value_or(-1)));
}

}  // namespace

Error replace_program(const std::vector<std::string>& words, Handover& handover) {
  const Result<std::filesystem::path> program = os::own_program();
  if (!program.ok()) return program.error();
  const Result<os::UniqueFd> file = memory_file(written(handover));
  if (!file.ok()) return file.error();
  std::vector<std::string> all = words;
  all.insert(all.end(), {"--handover", std::to_string(file->get())});
  set_across_exec(handover, AcrossExec::Kept);
  set_across_exec(file->get(), AcrossExec::Kept);
  ::execv(program->c_str(), os::exec_pointers(all).data());
  Error error = os::os_error("cannot start '" + program->string() + "' anew", errno);
  set_across_exec(handover, AcrossExec::Closed);
  return error;
}

Result<Handover> take_handover(int fd) {
  const os::UniqueFd file(fd);
  const std::string text = GDN_TRY(read_whole(fd));
  const std::size_t line = text.find('\n');
  const Json parsed = GDN_TRY(parse_json(std::string_view(text).substr(0, line)));
  const JsonObject& head = object_or_empty(parsed);
  const std::string bytes = line == std::string::npos ? "" : text.substr(line + 1);
  const auto received =
      std::min(bytes.size(), static_cast<std::size_t>(integer_field(head, "received").value_or(0)));
  Handover handover{.lock = descriptor(head, "lock"),
                    .listener = descriptor(head, "listener"),
                    .reason = text_field(head, "reason"),
                    .began_ms = integer_field(head, "beganMs").value_or(0)};
  handover.owner = {.socket = descriptor(head, "owner"),
                    .received = bytes.substr(0, received),
                    .unsent = bytes.substr(received),
                    .watching = true_field(head, "watching") ? OwnerState::Watching::Yes
                                                             : OwnerState::Watching::No};
  if (const auto limit = integer_field(head, "openFiles")) {
    handover.soft_open_files = static_cast<std::uint64_t>(*limit);
  }
  set_across_exec(handover, AcrossExec::Closed);
  return handover;
}

OwnerState inherited_owner() {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(kOwnerSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return {};
  if (type != SOCK_STREAM) return {};
  set_across_exec(kOwnerSocket, AcrossExec::Closed);
  // From the start: what an earlier run has left may be over before a request of the owner comes.
  return {.socket = os::UniqueFd(kOwnerSocket), .watching = OwnerState::Watching::Yes};
}

}  // namespace goondan::orchestrator
