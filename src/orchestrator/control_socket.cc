#include "orchestrator/control_socket.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "os/os_error.h"

namespace goondan::orchestrator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSocketName = "orchestrator.sock";
constexpr int kWaitingConnections = 64;

bool is_ours(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == ::geteuid() || peer.uid == 0;
}

}  // namespace

Result<os::UniqueFd> listen_in(const fs::path& workspace_folder) {
  remove_socket(workspace_folder);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string path = (workspace_folder / kSocketName).string();
  os::UniqueFd folder;
  if (path.size() >= sizeof(address.sun_path)) {
    folder.reset(::open(workspace_folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    path = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + std::string(kSocketName);
  }
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  os::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return os::os_error("cannot make a socket", errno);
  // The mode of the file comes from that of the socket, so that it is never open to others.
  ::fchmod(socket.get(), S_IRUSR | S_IWUSR);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): how sockets take addresses
  const auto* const plain = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(socket.get(), plain, sizeof(address)) != 0 ||
      ::listen(socket.get(), kWaitingConnections) != 0) {
    return os::os_error("cannot listen on '" + (workspace_folder / kSocketName).string() + "'",
                        errno);
  }
  return socket;
}

os::UniqueFd accept_own(int listener) {
  while (true) {
    os::UniqueFd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (!socket || is_ours(socket.get())) return socket;
  }
}

void remove_socket(const fs::path& workspace_folder) {
  ::unlink((workspace_folder / kSocketName).c_str());
}

}  // namespace goondan::orchestrator
