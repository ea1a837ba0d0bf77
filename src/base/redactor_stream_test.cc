#include "base/redactor_stream.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

std::string in_pieces(const Redactor& redactor, std::string_view text, std::size_t size) {
  StreamRedactor stream(redactor);
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += size)
    out += stream.push(text.substr(i, size));
  return out + stream.finish();
}

TEST(StreamRedactor, MakesOfPiecesWhatTheWholeWouldBecome) {
  Redactor redactor;
  redactor.add_secret("correct horse battery");
  redactor.add_secret("battery staple");
  redactor.add_secret("\xA9-secret-\xC3");
  const std::string key =
      "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234\nabcd\n-----END PRIVATE KEY-----";
  const std::string text =
      "a correct horse battery staple, correct horse [redacted]xoxb-12345678901 " + key +
      " Bearer abcdefgh12345678 caf\xC3\xA9-secret-\xC3\xA9 " +
      "https://u:pw@h/ access_token=abc12345 correct horse batter";
  const std::string whole = redactor.redact(text);
  for (std::size_t size = 1; size < 60; ++size)
    EXPECT_EQ(in_pieces(redactor, text, size), whole) << size;
}

TEST(StreamRedactor, HoldsNothingBackOfAnOrdinaryLine) {
  Redactor redactor;
  redactor.add_secret("correct horse");
  StreamRedactor stream(redactor);
  EXPECT_EQ(stream.push("compiling 3 files\n"), "compiling 3 files\n");
  EXPECT_EQ(stream.push("the correct"), "the ");
  EXPECT_EQ(stream.push(" answer\n"), "correct answer\n");
  EXPECT_EQ(stream.push("the correct "), "the ");
  EXPECT_EQ(stream.push("horse\n"), "[redacted]\n");
  EXPECT_EQ(stream.finish(), "");
}

TEST(StreamRedactor, HoldsBackALimitedAmount) {
  const Redactor redactor;
  StreamRedactor stream(redactor);
  std::size_t returned = 0;
  std::size_t pushed = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string piece = (i == 0 ? "Bearer " : "") + std::string(1000, '7');
    pushed += piece.size();
    returned += stream.push(piece).size();
  }
  EXPECT_GT(returned + 2 * kMaxPatternBytes, pushed);
}

TEST(StreamRedactor, BeginsANewTextAfterTheEnd) {
  Redactor redactor;
  redactor.add_secret("correct horse");
  StreamRedactor stream(redactor);
  EXPECT_EQ(stream.push("correct"), "");
  EXPECT_EQ(stream.finish(), "correct");
  EXPECT_EQ(stream.push(" horse\n"), " horse\n");
}

}  // namespace
}  // namespace goondan
