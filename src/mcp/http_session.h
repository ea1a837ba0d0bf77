// What every HTTP request to one server has to say: version, session, method, and the operator's
// own headers.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "mcp/transport.h"
#include "net/header.h"

namespace goondan::mcp {

// A session's id may have as many characters.
inline constexpr std::size_t kMaxSessionId = 4096;

// Thread-safe.
class HttpSession {
 public:
  // `own`: what the operator has configured. Headers of the protocol win over these.
  explicit HttpSession(std::vector<net::Header> own) : own_(std::move(own)) {}

  void set_era(Era era, std::string protocol_version);
  [[nodiscard]] Era era() const;

  // For a POST of `message`. A message that names its version itself (the modern era) gets
  // headers that agree with it, whatever era is known.
  [[nodiscard]] std::vector<net::Header> post_headers(const Json& message) const;
  // For a GET of a stream, behind the event `last_id` if it is not empty.
  [[nodiscard]] std::vector<net::Header> stream_headers(std::string_view last_id) const;
  // For the DELETE that ends the session; none: there is nothing to end.
  [[nodiscard]] std::optional<std::vector<net::Header>> end_headers() const;

  // The server's answer to `initialize` may name a session. `E_MCP` if that is no usable id.
  Result<void> begin(const std::vector<net::Header>& answer);
  // The server knows the session no longer.
  void end();
  // Whether a session has been begun; and whether it was ended by the server.
  [[nodiscard]] bool begun() const;
  [[nodiscard]] bool over() const;

 private:
  [[nodiscard]] std::vector<net::Header> with_own(std::vector<net::Header> headers) const;
  void add_session(std::vector<net::Header>& headers) const;

  const std::vector<net::Header> own_;
  mutable std::mutex mutex_;
  Era era_ = Era::Unknown;
  std::string version_;
  std::string id_;
  bool over_ = false;
};

}  // namespace goondan::mcp
