#include "net/body_decoder.h"

#include <zlib.h>

#include <gtest/gtest.h>

namespace goondan::net {
namespace {

// `bits` as zlib has them: 15 + 16 gzip, 15 zlib, -15 bare.
std::string compressed(std::string_view text, int bits) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

Result<std::string> decoded(ContentCoding coding, std::string_view bytes, std::size_t piece) {
  BodyDecoder decoder(coding);
  std::string result;
  while (!bytes.empty()) {
    std::string_view input = bytes.substr(0, piece);
    bytes.remove_prefix(input.size());
    while (true) {
      const std::string_view more = GDN_TRY(decoder.decode(input));
      if (more.empty()) break;
      result += more;
    }
  }
  GDN_TRY(decoder.finish());
  return result;
}

std::string sample() {
  std::string text;
  for (int i = 0; i < 20000; ++i) {
    text += std::to_string(i * 7919) + " ";
  }
  return text;
}

TEST(BodyDecoder, KnowsTheCodingsByName) {
  EXPECT_EQ(content_coding("gzip"), ContentCoding::Gzip);
  EXPECT_EQ(content_coding("X-GZip"), ContentCoding::Gzip);
  EXPECT_EQ(content_coding("deflate"), ContentCoding::Deflate);
  EXPECT_EQ(content_coding("br"), ContentCoding::Identity);
  EXPECT_EQ(content_coding("gzip, gzip"), ContentCoding::Identity);
  EXPECT_EQ(content_coding(""), ContentCoding::Identity);
}

TEST(BodyDecoder, DecodesGzipAndBothMeaningsOfDeflateInPiecesOfAnySize) {
  const std::string text = sample();
  const std::string gzip = compressed(text, 15 + 16);
  const std::string zlib = compressed(text, 15);
  const std::string bare = compressed(text, -15);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, gzip.size()}) {
    EXPECT_EQ(decoded(ContentCoding::Gzip, gzip, piece).value(), text);
    EXPECT_EQ(decoded(ContentCoding::Deflate, zlib, piece).value(), text);
    EXPECT_EQ(decoded(ContentCoding::Deflate, bare, piece).value(), text);
    EXPECT_EQ(decoded(ContentCoding::Identity, gzip, piece).value(), gzip);
  }
}

TEST(BodyDecoder, ReadsSeveralMembersAndIgnoresPadding) {
  const std::string two = compressed("one ", 15 + 16) + compressed("two", 15 + 16);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, two.size()}) {
    EXPECT_EQ(decoded(ContentCoding::Gzip, two, piece).value(), "one two");
    EXPECT_EQ(decoded(ContentCoding::Gzip, two + std::string(50, '\0'), piece).value(), "one two");
  }
}

TEST(BodyDecoder, RefusesDamagedAndShortenedData) {
  const std::string gzip = compressed(sample(), 15 + 16);
  std::string damaged = gzip;
  damaged[gzip.size() / 2] = static_cast<char>(damaged[gzip.size() / 2] ^ 0x55);
  EXPECT_EQ(decoded(ContentCoding::Gzip, damaged, 1000).error().code, ErrorCode::HttpResponse);
  EXPECT_EQ(decoded(ContentCoding::Gzip, "this is no gzip", 3).error().code,
            ErrorCode::HttpResponse);
  for (const std::size_t size : {std::size_t{1}, std::size_t{12}, gzip.size() - 1}) {
    EXPECT_EQ(decoded(ContentCoding::Gzip, gzip.substr(0, size), 1000).error().message,
              "the response's compressed body ends too early");
  }
}

TEST(BodyDecoder, TakesAnEmptyBodyForAnEmptyText) {
  EXPECT_EQ(decoded(ContentCoding::Gzip, "", 1).value(), "");
}

// REQ: BLT-4
TEST(BodyDecoder, GivesABombOutInSmallPieces) {
  const std::string bomb = compressed(std::string(std::size_t{16} << 20, 'a'), 15 + 16);
  ASSERT_LT(bomb.size(), std::size_t{25} << 10);
  BodyDecoder decoder(ContentCoding::Gzip);
  std::string_view input = bomb;
  const std::string_view piece = decoder.decode(input).value();
  EXPECT_LE(piece.size(), kDecodedPieceBytes);
  EXPECT_GT(input.size(), bomb.size() / 2) << "the rest is not touched until it is asked for";
}

}  // namespace
}  // namespace goondan::net
