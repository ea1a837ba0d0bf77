// Undoes the content coding of a response's body: gzip, deflate, or none.
//
// Decodes piece by piece into one small buffer, so a body that grows a thousandfold costs nothing
// until someone asks for the next piece. Does no I/O.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <goondan/result.h>

namespace goondan::net {

inline constexpr std::size_t kDecodedPieceBytes = std::size_t{16} << 10;

enum class ContentCoding { Identity, Gzip, Deflate };

// By the value of a `Content-Encoding` header. A coding we do not know, and several at once, are
// left as they are.
ContentCoding content_coding(std::string_view header);

// Thread-compatible. Fails with `E_HTTP_RESPONSE`.
class BodyDecoder {
 public:
  explicit BodyDecoder(ContentCoding coding);
  ~BodyDecoder();
  BodyDecoder(BodyDecoder&&) noexcept;
  BodyDecoder& operator=(BodyDecoder&&) noexcept;

  // Takes bytes from the front of `input` and returns what they decode to, valid until the next
  // call. Empty only if all of `input` is used up and nothing is held back.
  [[nodiscard]] Result<std::string_view> decode(std::string_view& input);

  // The body has ended. Fails if the coded data has not; an empty body is fine.
  [[nodiscard]] Result<void> finish() const;

 private:
  struct Inflater;
  ContentCoding coding_;
  std::unique_ptr<Inflater> inflater_;  // none for `Identity`, or before the first byte
};

}  // namespace goondan::net
