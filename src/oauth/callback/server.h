// The place on loopback where browsers come back to.
//
// Serves a few connections at a time; the others wait in the kernel's queue, as a browser takes a
// connection that is closed without an answer for a failure. One that says nothing gives way to
// those that wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <poll.h>
#include <span>
#include <string>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "oauth/callback/connection.h"
#include "oauth/callback/request.h"
#include "os/unique_fd.h"

namespace goondan::oauth {

inline constexpr std::size_t kMaxCallbackConnections = 32;
// A port that is taken is tried again this often.
inline constexpr std::chrono::milliseconds kPortRetry{250};

struct CallbackPlace {
  std::uint16_t port = 0;
  std::string path = {};
  std::string host = {};  // accepted in a Host header beside `127.0.0.1:<port>`; lower case

  friend bool operator==(const CallbackPlace&, const CallbackPlace&) = default;
  friend auto operator<=>(const CallbackPlace&, const CallbackPlace&) = default;
};

struct LoopbackSocket {
  os::UniqueFd fd;
  std::uint16_t port = 0;
};
// Listens on 127.0.0.1; `port` 0: on a free one. `E_NETWORK`; `E_ALREADY_RUNNING`: it is taken.
Result<LoopbackSocket> listen_on_loopback(std::uint16_t port);

// Confined to one thread, which calls `step` again and again.
class CallbackServer {
 public:
  using Id = std::uint64_t;
  // A browser came to a callback: `answer` is to be called for it, now or later.
  using OnCallback = std::function<void(Id, CallbackParameters)>;

  explicit CallbackServer(OnCallback on_callback) : on_callback_(std::move(on_callback)) {}

  // Takes a socket that listens already, for a place that will be named.
  void adopt(LoopbackSocket socket);
  // Where to listen from now on. Other sockets are closed; connections go on.
  void set_places(std::vector<CallbackPlace> places);
  void answer(Id id, std::string text);
  // Tells those who still wait for an answer that there will be none.
  void refuse_rest();

  // Waits until `until`, until `wake` is readable, or for browsers, and serves those.
  void step(Deadline until, int wake);

  [[nodiscard]] bool listens_on(std::uint16_t port) const { return listeners_.contains(port); }
  // Browsers that are being served.
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }
  // Of those, the ones that have not got all of their answer yet.
  [[nodiscard]] std::size_t unanswered() const;

 private:
  [[nodiscard]] bool wanted(std::uint16_t port) const;
  void open_missing(Deadline now);
  [[nodiscard]] bool full() const { return connections_.size() >= kMaxCallbackConnections; }
  [[nodiscard]] bool others_wait() const;
  [[nodiscard]] Deadline next_event(Deadline until, bool waiting) const;
  void serve(Id id, CallbackConnection& connection, Deadline now);
  void ask(Id id, CallbackConnection& connection, std::string_view head, Deadline now);
  [[nodiscard]] bool host_fits(const CallbackConnection& connection, const std::string& host) const;
  void end_some(bool waiting, Deadline now);
  void accept_from(std::uint16_t port, int listener, Deadline now);

  OnCallback on_callback_;
  std::vector<CallbackPlace> places_;
  std::map<std::uint16_t, os::UniqueFd> listeners_;
  std::map<Id, CallbackConnection> connections_;
  Id last_id_ = 0;
  Deadline retry_at_ = Deadline::max();      // for ports that are taken
  Deadline accept_after_ = Deadline::min();  // descriptors had run out
};

}  // namespace goondan::oauth
