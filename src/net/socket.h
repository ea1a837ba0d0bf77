// TCP connections to addresses that have been judged.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "net/ip_address.h"
#include "net/until.h"
#include "os/unique_fd.h"

namespace goondan::net {

// How long one address may be silent before the next is tried beside it.
inline constexpr std::chrono::milliseconds kNextAddressAfter{250};

// At most this many of a name's addresses are tried.
inline constexpr std::size_t kMaxTriedAddresses = os::kMaxWaitFds;

struct Connected {
  os::UniqueFd fd;  // non-blocking, close-on-exec
  IpAddress address;
};

// Connects to one of `addresses`, which must not be empty: IPv6 and IPv4 in turn, each started when
// the one before has failed or been silent for a while; the first that answers wins. The
// connection is checked to lead to the address asked for. Fails with `E_NETWORK`,
// `E_NETWORK_TIMEOUT`, `E_TOOL_CANCELLED`.
[[nodiscard]] Result<Connected> connect_to_any(std::span<const IpAddress> addresses,
                                               std::uint16_t port, const Until& until);

// What to do when there is something to receive while the peer takes no more of what is sent. Stop:
// fail, for a server that answers before it has all of a request and may never take the rest.
enum class OnInput { Ignore, Stop };

// Sends all of `bytes`. Never raises SIGPIPE.
[[nodiscard]] Result<void> send_all(int fd, std::string_view bytes, OnInput on_input,
                                    const Until& until);

// Waits for bytes and takes what there is; 0 means that the peer has ended.
[[nodiscard]] Result<std::size_t> receive_some(int fd, std::span<char> buffer, const Until& until);

// `E_NETWORK`, e.g. "cannot connect: Connection refused". `number` is an `errno`.
Error network_error(std::string_view what, int number);

}  // namespace goondan::net
