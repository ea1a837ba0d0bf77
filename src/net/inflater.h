// Undoes one content coding, piece by piece. Does no I/O.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <goondan/result.h>

#include "net/content_coding.h"

namespace goondan::net {

inline constexpr std::size_t kDecodedPieceBytes = std::size_t{16} << 10;

// Thread-compatible. Fails with `E_HTTP_RESPONSE`.
class Inflater {
 public:
  explicit Inflater(ContentCoding coding);
  ~Inflater();
  Inflater(Inflater&&) noexcept;
  Inflater& operator=(Inflater&&) noexcept;

  // Takes bytes from the front of `input` and returns what they decode to, valid until the next
  // call. Empty only if all of `input` is used up and nothing is held back.
  [[nodiscard]] Result<std::string_view> decode(std::string_view& input);

  // There is no more input. Fails if the coded data has not ended; none at all is fine.
  [[nodiscard]] Result<void> finish() const;

 private:
  struct Stream;
  ContentCoding coding_;
  std::unique_ptr<Stream> stream_;  // none before the first byte
};

}  // namespace goondan::net
