// Sending a short text together with one open descriptor, over a socket that keeps messages apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <goondan/result.h>

#include "os/unique_fd.h"

namespace goondan::ipc {

inline constexpr std::size_t kMaxNoteBytes = std::size_t{64} << 10;

struct Note {
  std::string text = {};
  os::UniqueFd fd = {};  // empty: none came with it
};

// Two connected sockets that keep messages apart, both close-on-exec.
Result<std::pair<os::UniqueFd, os::UniqueFd>> make_note_pair();

// At once or not at all; `fd` -1 sends none. Fails with `E_IO` (the other side is gone, or leaves
// too much unread), with `E_LIMIT` for no text or more than `kMaxNoteBytes`.
Result<void> send_note(int socket, std::string_view text, int fd = -1);

// What has come; nothing if nothing has. Fails with `E_IO` at the end of the stream, with `E_IPC`
// for a note that is too large. Of several descriptors the first counts and the others are closed.
Result<std::optional<Note>> receive_note(int socket);

}  // namespace goondan::ipc
