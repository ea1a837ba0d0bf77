// Where the decoded body of a response goes, and how much of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "net/http_client.h"
#include "net/response_reader.h"

namespace goondan::net {

// So much of a redirect's body is read, to use its connection again.
inline constexpr std::size_t kMaxDiscardedBytes = std::size_t{64} << 10;

// For all hops of one request; borrows the request and the sink. Thread-compatible.
class BodyReceiver {
 public:
  enum class Want { More, Enough };

  // `sink` null: the body is kept.
  BodyReceiver(const Request& request, const BodySink* sink) : request_(request), sink_(sink) {}

  // Whether the body behind `head` is not wanted: it is that of a redirect which will be followed.
  [[nodiscard]] bool discards(const ResponseHead& head) const;

  // A head has come. Decides what happens to its body; fails at once if it is known to be too
  // large. `length`: how many bytes it will have once decoded, if that is known.
  [[nodiscard]] Result<void> begin(const ResponseHead& head, std::optional<std::uint64_t> length);

  // The next bytes. `Enough`: the rest of the body is not wanted. Fails with what the sink says, or
  // with `E_HTTP_RESPONSE` if there are too many and the request says `Overflow::Fail`.
  [[nodiscard]] Result<Want> add(std::string_view bytes);

  [[nodiscard]] std::string take_body() { return std::move(body_); }
  [[nodiscard]] bool truncated() const { return truncated_; }
  // Whether what has come is all that is wanted.
  [[nodiscard]] bool satisfied() const {
    return request_.satisfied != nullptr && *request_.satisfied;
  }

 private:
  enum class Target { Body, Sink, Nowhere };

  Result<void> pass_on(std::string_view bytes);
  [[nodiscard]] Error too_large() const;
  void make_room(std::size_t bytes);

  const Request& request_;
  const BodySink* sink_;
  Target target_ = Target::Nowhere;
  std::size_t limit_ = 0;
  std::size_t taken_ = 0;
  bool truncated_ = false;
  bool known_too_large_ = false;  // by what the head says
  std::string body_;
};

}  // namespace goondan::net
