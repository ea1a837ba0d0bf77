#include "net/inflater.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <zlib.h>

namespace goondan::net {
namespace {

constexpr char kGzipFirstByte = '\x1f';

// What zlib calls the window: its size, plus 16 for gzip's frame, negative for no frame at all.
// Some servers mean the bare data by "deflate"; zlib's frame begins with an 8 in the low bits,
// which data of any use does not.
int window_bits(ContentCoding coding, char first_byte) {
  if (coding == ContentCoding::Gzip) return MAX_WBITS + 16;
  return (first_byte & 0x0f) == 8 ? MAX_WBITS : -MAX_WBITS;
}

Error bad_body(std::string message) {
  return {.code = ErrorCode::HttpResponse, .message = std::move(message)};
}

}  // namespace

struct Inflater::Stream {
  // Between: a gzip member has ended; another may follow. Ended: whatever follows is ignored.
  // Damaged: nothing more can be decoded; what came before that has been given out.
  enum class State { Inside, Between, Ended, Damaged };

  Stream(ContentCoding the_coding, char first_byte) : coding(the_coding) {
    ready = inflateInit2(&zlib, window_bits(coding, first_byte)) == Z_OK;
  }
  ~Stream() {
    if (ready) inflateEnd(&zlib);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Result<std::string_view> next(std::string_view& input);
  std::string_view step(std::string_view& input);
  void look_between(std::string_view& input);

  ContentCoding coding;
  z_stream zlib = {};
  bool ready = false;
  State state = State::Inside;
  std::array<char, kDecodedPieceBytes> piece;  // filled before it is read
};

// gzip allows several members in a row; anything else after the first is padding.
void Inflater::Stream::look_between(std::string_view& input) {
  if (input.empty()) return;
  const bool another = coding == ContentCoding::Gzip && input.front() == kGzipFirstByte;
  state = another && inflateReset(&zlib) == Z_OK ? State::Inside : State::Ended;
}

// One call of `inflate`; may yield nothing although there is input left.
std::string_view Inflater::Stream::step(std::string_view& input) {
  const std::size_t offered = std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max());
  // zlib does not write to its input; its type is only not const by default.
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  zlib.avail_in = static_cast<uInt>(offered);
  zlib.next_out = reinterpret_cast<Bytef*>(piece.data());
  zlib.avail_out = static_cast<uInt>(piece.size());
  const int status = inflate(&zlib, Z_NO_FLUSH);
  input.remove_prefix(offered - zlib.avail_in);
  if (status == Z_STREAM_END) {
    state = State::Between;
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    state = State::Damaged;
  }
  return {piece.data(), piece.size() - zlib.avail_out};
}

Result<std::string_view> Inflater::Stream::next(std::string_view& input) {
  while (true) {
    if (state == State::Between) look_between(input);
    switch (state) {
      case State::Damaged:
        return bad_body("the response's compressed body is damaged");
      case State::Ended:
        input = {};
        return std::string_view();
      case State::Between:
        return std::string_view();
      case State::Inside:
        break;
    }
    const std::string_view decoded = step(input);
    if (!decoded.empty() || (input.empty() && state == State::Inside)) return decoded;
  }
}

Inflater::Inflater(ContentCoding coding) : coding_(coding) {}
Inflater::~Inflater() = default;
Inflater::Inflater(Inflater&&) noexcept = default;
Inflater& Inflater::operator=(Inflater&&) noexcept = default;

Result<std::string_view> Inflater::decode(std::string_view& input) {
  if (!stream_) {
    if (input.empty()) return std::string_view();
    stream_ = std::make_unique<Stream>(coding_, input.front());
    if (!stream_->ready) return bad_body("there is no memory to decompress the response's body");
  }
  return stream_->next(input);
}

Result<void> Inflater::finish() const {
  if (stream_ && stream_->state == Stream::State::Inside) {
    return bad_body("the response's compressed body ends too early");
  }
  return {};
}

}  // namespace goondan::net
