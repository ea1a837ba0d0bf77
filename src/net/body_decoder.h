// Undoes the content codings of a response's body.
//
// Decodes piece by piece into one small buffer a coding, so a body that grows a thousandfold costs
// nothing until someone asks for the next piece. Does no I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "net/inflater.h"

namespace goondan::net {

// Of a body that was compressed more than once: what may lie between the codings. Without this
// bound, little input could keep a decoder busy for long without giving anything out.
inline constexpr std::size_t kMaxBetweenCodings = std::size_t{32} << 20;

// Thread-compatible. Fails with `E_HTTP_RESPONSE`.
class BodyDecoder {
 public:
  // `content_encoding`: the header's value. If we cannot undo what it says, `decode` fails at the
  // first byte: without a body, it does not matter.
  explicit BodyDecoder(std::string_view content_encoding);

  // Whether the bytes come out as they go in.
  [[nodiscard]] bool is_plain() const { return stages_.empty() && !problem_; }

  // Takes bytes from the front of `input` and returns what they decode to, valid until the next
  // call. Empty only if all of `input` is used up and nothing is held back.
  [[nodiscard]] Result<std::string_view> decode(std::string_view& input);

  // The body has ended. Fails if the coded data has not; an empty body is fine.
  [[nodiscard]] Result<void> finish() const;

 private:
  // One coding, and what the stage before it has given and this one has not used.
  struct Stage {
    Inflater inflater;
    std::string_view pending = {};
  };

  Result<std::string_view> pull(std::size_t stage, std::string_view& input);

  std::vector<Stage> stages_;  // the coding that was applied last comes first
  std::optional<Error> problem_;
  std::size_t between_ = 0;
};

}  // namespace goondan::net
