#include "net/body_decoder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <zlib.h>

#include "net/header.h"

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

ContentCoding content_coding(std::string_view header) {
  if (same_name(header, "gzip") || same_name(header, "x-gzip")) return ContentCoding::Gzip;
  return same_name(header, "deflate") ? ContentCoding::Deflate : ContentCoding::Identity;
}

struct BodyDecoder::Inflater {
  // Between: a gzip member has ended; another may follow. Ended: whatever follows is ignored.
  // Damaged: nothing more can be decoded; what came before that has been given out.
  enum class State { Inside, Between, Ended, Damaged };

  Inflater(ContentCoding the_coding, char first_byte) : coding(the_coding) {
    ready = inflateInit2(&stream, window_bits(coding, first_byte)) == Z_OK;
  }
  ~Inflater() {
    if (ready) inflateEnd(&stream);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Result<std::string_view> next(std::string_view& input);
  std::string_view step(std::string_view& input);
  void look_between(std::string_view& input);

  ContentCoding coding;
  z_stream stream = {};
  bool ready = false;
  State state = State::Inside;
  std::array<char, kDecodedPieceBytes> piece;  // filled before it is read
};

// gzip allows several members in a row; anything else after the first is padding.
void BodyDecoder::Inflater::look_between(std::string_view& input) {
  if (input.empty()) return;
  const bool another = coding == ContentCoding::Gzip && input.front() == kGzipFirstByte;
  state = another && inflateReset(&stream) == Z_OK ? State::Inside : State::Ended;
}

// One call of `inflate`; may yield nothing although there is input left.
std::string_view BodyDecoder::Inflater::step(std::string_view& input) {
  const std::size_t offered = std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max());
  // zlib does not write to its input; its type is only not const by default.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  stream.avail_in = static_cast<uInt>(offered);
  stream.next_out = reinterpret_cast<Bytef*>(piece.data());
  stream.avail_out = static_cast<uInt>(piece.size());
  const int status = inflate(&stream, Z_NO_FLUSH);
  input.remove_prefix(offered - stream.avail_in);
  if (status == Z_STREAM_END) {
    state = State::Between;
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    state = State::Damaged;
  }
  return {piece.data(), piece.size() - stream.avail_out};
}

Result<std::string_view> BodyDecoder::Inflater::next(std::string_view& input) {
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

BodyDecoder::BodyDecoder(ContentCoding coding) : coding_(coding) {}
BodyDecoder::~BodyDecoder() = default;
BodyDecoder::BodyDecoder(BodyDecoder&&) noexcept = default;
BodyDecoder& BodyDecoder::operator=(BodyDecoder&&) noexcept = default;

Result<std::string_view> BodyDecoder::decode(std::string_view& input) {
  if (coding_ == ContentCoding::Identity) return std::exchange(input, {});
  if (!inflater_) {
    if (input.empty()) return std::string_view();
    inflater_ = std::make_unique<Inflater>(coding_, input.front());
    if (!inflater_->ready) return bad_body("there is no memory to decompress the response's body");
  }
  return inflater_->next(input);
}

Result<void> BodyDecoder::finish() const {
  if (inflater_ && inflater_->state == Inflater::State::Inside) {
    return bad_body("the response's compressed body ends too early");
  }
  return {};
}

}  // namespace goondan::net
