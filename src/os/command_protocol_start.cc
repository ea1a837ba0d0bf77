#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "os/command_protocol.h"
#include "os/os_error.h"

namespace goondan::os {
namespace {

constexpr std::uint32_t kMagic = 0x31446e63;  // tells a helper of another version
constexpr std::size_t kFds = 4;
constexpr std::size_t kMaxFds = kFds + 1;
// When the kernel carries too many descriptors already: how long until it is asked again.
constexpr std::chrono::milliseconds kRetryTime{1};

struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t arguments = 0;
};

// Room for the descriptors of a message, aligned as the kernel wants it.
struct alignas(cmsghdr) FdSpace {
  std::array<char, CMSG_SPACE(kMaxFds * sizeof(int))> bytes{};
};

std::string joined(const CommandTexts& texts) {
  std::string all;
  for (const auto* list : {&texts.argv, &texts.environment}) {
    for (const std::string& text : *list)
      all.append(text).push_back('\0');
  }
  return all;
}

Result<UniqueFd> memory_file(std::string_view text) {
  UniqueFd file(::memfd_create("gdn-command", MFD_CLOEXEC));
  if (!file) return os_error("cannot make a memory file for a command", errno);
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return os_error("cannot write a command to memory", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return file;
}

void attach(msghdr& message, FdSpace& space, std::span<const int> fds) {
  message.msg_control = space.bytes.data();
  message.msg_controllen = CMSG_SPACE(fds.size_bytes());
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(fds.size_bytes());
  std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
}

// Waits until there is room for a message again.
Result<void> wait_for_room(int socket, int why, Deadline deadline, const StopWaker& stop) {
  Wake wake = Wake::Ready;
  if (why == ETOOMANYREFS) {
    const Deadline again = Clock::now() + kRetryTime;
    wake = wait_any({}, std::min(deadline, again), stop);
    if (wake == Wake::TimedOut && again < deadline) wake = Wake::Ready;
  } else {
    wake = wait_writable(socket, deadline, stop);
  }
  if (wake == Wake::Ready) return {};
  return Error{.code = ErrorCode::ToolBusy,
               .message = "the process that starts commands did not take another one in time",
               .suggestion = "Run fewer commands at once."};
}

std::vector<UniqueFd> received_fds(msghdr& message) {
  std::vector<UniqueFd> fds;
  for (cmsghdr* at = CMSG_FIRSTHDR(&message); at != nullptr; at = CMSG_NXTHDR(&message, at)) {
    if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
    std::array<int, kMaxFds> numbers{};
    const std::size_t bytes = std::min(at->cmsg_len - CMSG_LEN(0), sizeof numbers);
    std::memcpy(numbers.data(), CMSG_DATA(at), bytes);
    for (std::size_t i = 0; i < bytes / sizeof(int); ++i)
      fds.emplace_back(numbers[i]);
  }
  return fds;
}

}  // namespace

Result<void> send_start(int socket, const CommandTexts& texts, const CommandFds& fds,
                        Deadline deadline, const StopWaker& stop) {
  std::string all = joined(texts);
  if (all.size() > kMaxRequestBytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the command with its environment is longer than " +
                            std::to_string(kMaxRequestBytes) + " bytes"};
  }
  Header header{.arguments = static_cast<std::uint32_t>(texts.argv.size())};
  std::vector<int> numbers{fds.control.get(), fds.out.get(), fds.err.get(), fds.folder.get()};
  UniqueFd large;
  if (all.size() > kMaxInlineBytes) {
    large = GDN_TRY(memory_file(all));
    numbers.push_back(large.get());
    all.clear();
  }
  std::array<iovec, 2> parts{iovec{.iov_base = &header, .iov_len = sizeof header},
                             iovec{.iov_base = all.data(), .iov_len = all.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  FdSpace space;
  attach(message, space, numbers);
  while (::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    const int why = errno;
    if (why == EINTR) continue;
    if (why != EAGAIN && why != ETOOMANYREFS)
      return os_error("cannot reach the process that starts commands", why);
    GDN_TRY(wait_for_room(socket, why, deadline, stop));
  }
  return {};
}

Received receive_start(int socket, StartMessage& into) {
  Header header;
  std::string texts(kMaxInlineBytes, '\0');
  std::array<iovec, 2> parts{iovec{.iov_base = &header, .iov_len = sizeof header},
                             iovec{.iov_base = texts.data(), .iov_len = texts.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  FdSpace space;
  message.msg_control = space.bytes.data();
  message.msg_controllen = space.bytes.size();
  const ssize_t got = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? Received::Nothing : Received::End;
  if (got == 0) return Received::End;
  std::vector<UniqueFd> fds = received_fds(message);
  const bool whole = static_cast<std::size_t>(got) >= sizeof header && header.magic == kMagic &&
                     (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0 && fds.size() >= kFds;
  if (!whole) return Received::Nothing;
  texts.resize(static_cast<std::size_t>(got) - sizeof header);
  into = {.fds = {.control = std::move(fds[0]),
                  .out = std::move(fds[1]),
                  .err = std::move(fds[2]),
                  .folder = std::move(fds[3])},
          .large = fds.size() > kFds ? std::move(fds[4]) : UniqueFd(),
          .texts = std::move(texts),
          .arguments = header.arguments};
  return Received::Message;
}

}  // namespace goondan::os
