#include "ipc/fd_passing.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

#include "os/os_error.h"

namespace goondan::ipc {
namespace {

struct Control {
  alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(int))] = {};
};

void attach(msghdr& header, Control& control, int fd) {
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  cmsghdr* part = CMSG_FIRSTHDR(&header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(part), &fd, sizeof fd);
}

// The first descriptor that came. The room for one holds two, because of its alignment: others that
// came with it are closed.
os::UniqueFd attached(msghdr& header) {
  os::UniqueFd first;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
      os::UniqueFd owned(fd);
      if (!first) first = std::move(owned);
    }
  }
  return first;
}

}  // namespace

Result<std::pair<os::UniqueFd, os::UniqueFd>> make_note_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return os::os_error("cannot make a pair of sockets", errno);
  }
  return std::pair(os::UniqueFd(ends[0]), os::UniqueFd(ends[1]));
}

Result<void> send_note(int socket, std::string_view text, int fd) {
  // A note without text could not be told from the end of the stream.
  if (text.empty() || text.size() > kMaxNoteBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "a note between processes has " + std::to_string(text.size()) +
                            " bytes; it needs 1 to " + std::to_string(kMaxNoteBytes)};
  }
  iovec part{.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  Control control;
  if (fd >= 0) attach(header, control, fd);
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return os::os_error("cannot send to another process", errno);
  return {};
}

Result<std::optional<Note>> receive_note(int socket) {
  Note note;
  note.text.resize(kMaxNoteBytes);
  iovec part{.iov_base = note.text.data(), .iov_len = note.text.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::optional<Note>();
  if (got < 0) return os::os_error("cannot receive from another process", errno);
  note.fd = attached(header);
  if (got == 0) {
    return Error{.code = ErrorCode::Io, .message = "the process on the other side has ended"};
  }
  if ((header.msg_flags & MSG_TRUNC) != 0) {
    return Error{.code = ErrorCode::Ipc,
                 .message = "a note between processes is larger than " +
                            std::to_string(kMaxNoteBytes) + " bytes"};
  }
  note.text.resize(static_cast<std::size_t>(got));
  return std::optional<Note>(std::move(note));
}

}  // namespace goondan::ipc
