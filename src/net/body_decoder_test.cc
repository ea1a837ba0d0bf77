#include "net/body_decoder.h"

#include <zlib.h>

#include <gmock/gmock.h>
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

Result<std::string> decoded(std::string_view coding, std::string_view bytes, std::size_t piece) {
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

TEST(BodyDecoder, DecodesGzipAndBothMeaningsOfDeflateInPiecesOfAnySize) {
  const std::string text = sample();
  const std::string gzip = compressed(text, 15 + 16);
  const std::string zlib = compressed(text, 15);
  const std::string bare = compressed(text, -15);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, gzip.size()}) {
    EXPECT_EQ(decoded("gzip", gzip, piece).value(), text);
    EXPECT_EQ(decoded("deflate", zlib, piece).value(), text);
    EXPECT_EQ(decoded("deflate", bare, piece).value(), text);
    EXPECT_EQ(decoded("identity", gzip, piece).value(), gzip);
  }
}

TEST(BodyDecoder, ReadsSeveralMembersAndIgnoresPadding) {
  const std::string two = compressed("one ", 15 + 16) + compressed("two", 15 + 16);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, two.size()}) {
    EXPECT_EQ(decoded("gzip", two, piece).value(), "one two");
    EXPECT_EQ(decoded("gzip", two + std::string(50, '\0'), piece).value(), "one two");
  }
}

TEST(BodyDecoder, RefusesDamagedAndShortenedData) {
  const std::string gzip = compressed(sample(), 15 + 16);
  std::string damaged = gzip;
  damaged[gzip.size() / 2] = static_cast<char>(damaged[gzip.size() / 2] ^ 0x55);
  EXPECT_EQ(decoded("gzip", damaged, 1000).error().code, ErrorCode::HttpResponse);
  EXPECT_EQ(decoded("gzip", "this is no gzip", 3).error().code, ErrorCode::HttpResponse);
  for (const std::size_t size : {std::size_t{1}, std::size_t{12}, gzip.size() - 1}) {
    EXPECT_EQ(decoded("gzip", gzip.substr(0, size), 1000).error().message,
              "the response's compressed body ends too early");
  }
}

TEST(BodyDecoder, UndoesSeveralCodingsFromTheLastToTheFirst) {
  const std::string text = sample();
  const std::string twice = compressed(compressed(text, 15), 15 + 16);
  const std::string thrice = compressed(twice, 15 + 16);
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{7}, std::size_t{4096}, twice.size()}) {
    EXPECT_EQ(decoded("deflate, gzip", twice, piece).value(), text);
    EXPECT_EQ(decoded("deflate, identity, gzip, gzip", thrice, piece).value(), text);
  }
  EXPECT_FALSE(decoded("gzip, deflate", twice, 1000).ok());
  EXPECT_EQ(decoded("deflate, gzip", twice.substr(0, twice.size() / 2), 1000).error().message,
            "the response's compressed body ends too early");
  const std::string short_inside = compressed(compressed(text, 15).substr(0, 5000), 15 + 16);
  EXPECT_EQ(decoded("deflate, gzip", short_inside, 1000).error().message,
            "the response's compressed body ends too early");
}

TEST(BodyDecoder, RefusesACodingItDoesNotKnowOnlyIfThereIsABody) {
  EXPECT_EQ(decoded("br", "", 1).value(), "");
  EXPECT_EQ(decoded("br", "x", 1).error().code, ErrorCode::HttpResponse);
}

// REQ: BLT-4
TEST(BodyDecoder, EndsABodyThatIsLargeOnlyBetweenItsCodings) {
  std::string nothing;
  const std::string member = compressed("", 15 + 16);
  while (nothing.size() <= kMaxBetweenCodings)
    nothing += member;
  const std::string bomb = compressed(nothing, 15 + 16);
  ASSERT_LT(bomb.size(), nothing.size() / 100);
  EXPECT_EQ(decoded("gzip", nothing, 4096).value(), "");
  EXPECT_THAT(decoded("gzip, gzip", bomb, 4096).error().message,
              testing::HasSubstr("too large between the codings"));
}

TEST(BodyDecoder, TakesAnEmptyBodyForAnEmptyText) {
  EXPECT_EQ(decoded("gzip", "", 1).value(), "");
}

// REQ: BLT-4
TEST(BodyDecoder, GivesABombOutInSmallPieces) {
  const std::string bomb = compressed(std::string(std::size_t{16} << 20, 'a'), 15 + 16);
  ASSERT_LT(bomb.size(), std::size_t{25} << 10);
  BodyDecoder decoder("gzip");
  std::string_view input = bomb;
  const std::string_view piece = decoder.decode(input).value();
  EXPECT_LE(piece.size(), kDecodedPieceBytes);
  EXPECT_GT(input.size(), bomb.size() / 2) << "the rest is not touched until it is asked for";
}

}  // namespace
}  // namespace goondan::net
