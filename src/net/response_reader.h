// Reads one HTTP/1.x response from bytes as they come. Does no I/O.
//
// Strict where a second opinion about the framing could be dangerous: two lengths that differ, a
// length besides chunks, chunk sizes that are not plain hexadecimal, names with spaces and folded
// lines are refused. Lenient only about a bare LF at the end of a line of the head. What comes out
// does not depend on how the bytes were cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "net/header.h"

namespace goondan::net {

inline constexpr std::size_t kMaxResponseHeadBytes = std::size_t{256} << 10;  // 1xx ones included
inline constexpr std::size_t kMaxResponseHeaders = 500;
inline constexpr std::size_t kMaxChunkLineBytes = std::size_t{4} << 10;
inline constexpr std::size_t kMaxTrailerBytes = std::size_t{16} << 10;

struct ResponseHead {
  int status = 0;
  std::string reason = {};
  std::vector<Header> headers = {};  // names in lower case, repeats kept
  std::optional<std::uint64_t> content_length = {};

  friend bool operator==(const ResponseHead&, const ResponseHead&) = default;
};

// Thread-compatible. Fails with `E_HTTP_RESPONSE`; after a failure it is of no further use.
class ResponseReader {
 public:
  enum class BodyRule { ByHead, Never };  // never: the answer to HEAD

  enum class Kind {
    NeedMore,  // the input is used up
    Head,      // `head()` is complete
    Body,      // `bytes` are the next of the body, still encoded
    End,       // the response is complete; what is left in the input is not part of it
  };

  struct Part {
    Kind kind = Kind::NeedMore;
    std::string_view bytes = {};  // part of the input
  };

  explicit ResponseReader(BodyRule rule) : rule_(rule) {}

  // Takes bytes from the front of `input` up to the end of the next part.
  [[nodiscard]] Result<Part> next(std::string_view& input);

  // The connection has ended. Fails if the response needs more than it got.
  [[nodiscard]] Result<void> end_of_input();

  // After `Kind::Head`; may be moved from.
  [[nodiscard]] ResponseHead& head() { return head_; }

  // After `Kind::Head`: whether a body follows, perhaps an empty one.
  [[nodiscard]] bool has_body() const { return state_ != State::Done; }

  // After `Kind::End`: whether the server will take another request on the connection.
  [[nodiscard]] bool keeps_alive() const { return keeps_alive_; }

 private:
  enum class State {
    StatusLine,
    HeaderLine,
    FixedBody,
    ChunkSize,
    ChunkBody,
    ChunkEnd,
    TrailerLine,
    BodyUntilClose,
    Done
  };

  Result<std::optional<std::string_view>> take_line(std::string_view& input, std::size_t limit);
  Result<void> read_line(std::string_view line);
  Result<void> read_status_line(std::string_view line);
  Result<void> read_header_line(std::string_view line);
  Result<void> read_chunk_size(std::string_view line);
  Result<void> read_trailer_line(std::string_view line);
  Result<void> finish_head();
  Result<void> choose_framing();
  Result<void> note_content_length();
  void note_keep_alive();
  [[nodiscard]] std::size_t section_limit() const;
  [[nodiscard]] bool reads_lines() const;
  Part take_body(std::string_view& input);

  BodyRule rule_;
  State state_ = State::StatusLine;
  ResponseHead head_;
  std::string carry_;              // the beginning of a line whose end has not come
  std::size_t section_bytes_ = 0;  // of the head, of one chunk's line, or of the trailers
  std::uint64_t remaining_ = 0;    // of the body or of the chunk
  int minor_version_ = 1;
  bool head_reported_ = false;
  bool keeps_alive_ = false;
};

}  // namespace goondan::net
