#include "net/response_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::net {
namespace {

using testing::HasSubstr;

struct Outcome {
  std::string problem = {};
  ResponseHead head = {};
  std::string body = {};
  bool ended = false;
  bool keeps_alive = false;
  std::string left = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

enum class AtEnd { Open, Closed };

// Feeds `text` in pieces of `piece` bytes.
Outcome read_in_pieces(std::string_view text, std::size_t piece,
                       ResponseReader::BodyRule rule = ResponseReader::BodyRule::ByHead,
                       AtEnd at_end = AtEnd::Closed) {
  ResponseReader reader(rule);
  Outcome outcome;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view input = rest.substr(0, piece);
    rest.remove_prefix(input.size());
    while (true) {
      const auto part = reader.next(input);
      if (!part.ok()) return {.problem = part.error().message};
      if (part->kind == ResponseReader::Kind::NeedMore) break;
      if (part->kind == ResponseReader::Kind::Head) outcome.head = reader.head();
      if (part->kind == ResponseReader::Kind::Body) outcome.body += part->bytes;
      if (part->kind == ResponseReader::Kind::End) {
        outcome.ended = true;
        outcome.keeps_alive = reader.keeps_alive();
        outcome.left = std::string(input) + std::string(rest);
        return outcome;
      }
    }
  }
  if (at_end == AtEnd::Open) return outcome;
  const auto end = reader.end_of_input();
  if (!end.ok()) return {.problem = end.error().message};
  outcome.ended = true;
  outcome.keeps_alive = reader.keeps_alive();
  return outcome;
}

Outcome read(std::string_view text) {
  return read_in_pieces(text, text.size());
}

TEST(ResponseReader, ReadsAResponseOfKnownLengthAndLeavesTheRest) {
  const Outcome outcome = read(
      "HTTP/1.1 200 Fine thing\r\nContent-Type: text/plain\r\nX-A:  b c\t\r\n"
      "Content-Length: 5\r\n\r\nhelloHTTP/1.1");
  EXPECT_EQ(outcome, (Outcome{.head = {.status = 200,
                                       .reason = "Fine thing",
                                       .headers = {{"content-type", "text/plain"},
                                                   {"x-a", "b c"},
                                                   {"content-length", "5"}},
                                       .content_length = 5},
                              .body = "hello",
                              .ended = true,
                              .keeps_alive = true,
                              .left = "HTTP/1.1"}));
}

TEST(ResponseReader, ReadsChunksWithExtensionsAndTrailers) {
  const Outcome outcome = read(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5;a=b\r\nhello\r\n"
      "00000A ;x=\"y\"\r\n, chunks!!\r\n0\r\nX-Checksum: 1\r\n\r\nrest");
  EXPECT_EQ(outcome.body, "hello, chunks!!");
  EXPECT_TRUE(outcome.ended && outcome.keeps_alive);
  EXPECT_EQ(outcome.left, "rest");
}

TEST(ResponseReader, ReadsUntilTheConnectionEndsWhenNothingElseIsSaid) {
  const Outcome outcome = read("HTTP/1.1 200 OK\r\n\r\nall of it");
  EXPECT_EQ(outcome.body, "all of it");
  EXPECT_TRUE(outcome.ended);
  EXPECT_FALSE(outcome.keeps_alive);
}

TEST(ResponseReader, DoesNotDependOnHowTheBytesAreCut) {
  const std::string text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n"
      "3\r\nabc\r\n1f\r\n0123456789012345678901234567890\r\n0\r\nA: b\r\n\r\n";
  const Outcome whole = read(text);
  EXPECT_EQ(whole.body, "abc0123456789012345678901234567890");
  EXPECT_TRUE(whole.ended);
  for (std::size_t piece = 1; piece < text.size(); ++piece) {
    EXPECT_EQ(read_in_pieces(text, piece), whole) << piece;
  }
}

TEST(ResponseReader, KnowsWhichResponsesHaveNoBody) {
  for (const std::string status : {"204 No Content", "304 Not Modified"}) {
    const Outcome outcome = read("HTTP/1.1 " + status + "\r\nContent-Length: 9\r\n\r\n");
    EXPECT_TRUE(outcome.ended && outcome.keeps_alive) << status;
  }
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
  const Outcome outcome = read_in_pieces(head, head.size(), ResponseReader::BodyRule::Never);
  EXPECT_TRUE(outcome.ended && outcome.keeps_alive);
  EXPECT_EQ(outcome.head.content_length, 9U);
}

TEST(ResponseReader, TellsWhetherTheConnectionLives) {
  const std::string length = "Content-Length: 0\r\n";
  EXPECT_TRUE(read("HTTP/1.1 200 OK\r\n" + length + "\r\n").keeps_alive);
  EXPECT_FALSE(read("HTTP/1.1 200 OK\r\nConnection: x, Close\r\n" + length + "\r\n").keeps_alive);
  EXPECT_FALSE(read("HTTP/1.0 200 OK\r\n" + length + "\r\n").keeps_alive);
  EXPECT_TRUE(read("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + length + "\r\n").keeps_alive);
}

TEST(ResponseReader, AcceptsBareLineFeedsInTheHeadAndAMissingReason) {
  const Outcome outcome = read("HTTP/1.1 404\nA: b\nContent-Length: 1\n\nx");
  EXPECT_EQ(outcome.head.status, 404);
  EXPECT_EQ(outcome.head.reason, "");
  EXPECT_EQ(outcome.body, "x");
}

TEST(ResponseReader, AcceptsALengthThatIsSaidTwiceAlike) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nab").body,
            "ab");
}

TEST(ResponseReader, RefusesWhatIsNotWellFormed) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"hello", "not HTTP"},
      {"<html>old server</html>\n", "not HTTP"},
      {"HTTP/2 200\r\n\r\n", "not HTTP"},
      {"ICY 200 OK\r\n\r\n", "not HTTP"},
      {"\r\nHTTP/1.1 200 OK\r\n\r\n", "not HTTP"},
      {"HTTP/1.x 200 OK\r\n\r\n", "status line"},
      {"HTTP/1.1  200 OK\r\n\r\n", "status line"},
      {"HTTP/1.1 20\r\n\r\n", "status line"},
      {"HTTP/1.1 2000 OK\r\n\r\n", "status line"},
      {"HTTP/1.1 +20 OK\r\n\r\n", "status line"},
      {"HTTP/1.1 099 OK\r\n\r\n", "status line"},
      {"HTTP/1.1 200 O\x01K\r\n\r\n", "status line"},
      {"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n", "another protocol"},
      {ok + "no colon\r\n\r\n", "valid name"},
      {ok + ": empty\r\n\r\n", "valid name"},
      {ok + "Name : space\r\n\r\n", "valid name"},
      {ok + "A: b\r\n folded\r\n\r\n", "valid name"},
      {ok + std::string("A: b\0c\r\n\r\n", 10), "control characters"},
      {ok + "A: b\rc\r\n\r\n", "control characters"},
      {ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", "content-length"},
      {ok + "Content-Length: 5, 6\r\n\r\nhello!", "content-length"},
      {ok + "Content-Length: -1\r\n\r\n", "content-length"},
      {ok + "Content-Length: +5\r\n\r\nhello", "content-length"},
      {ok + "Content-Length: 0x5\r\n\r\nhello", "content-length"},
      {ok + "Content-Length:\r\n\r\nhello", "content-length"},
      {ok + "Content-Length: 99999999999999999999\r\n\r\n", "content-length"},
      {ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "both"},
      {ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", "transfer-encoding"},
      {ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
       "transfer-encoding"},
      {"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "transfer-encoding"},
      {chunked + "x\r\n", "size of a chunk"},
      {chunked + "0x5\r\nhello\r\n", "size of a chunk"},
      {chunked + "-5\r\nhello\r\n", "size of a chunk"},
      {chunked + " 5\r\nhello\r\n", "size of a chunk"},
      {chunked + "5 \r\nhello\r\n", "size of a chunk"},
      {chunked + "5\nhello\r\n", "size of a chunk"},
      {chunked + "\r\n", "size of a chunk"},
      {chunked + "10000000000000000\r\n", "size of a chunk"},
      {chunked + "5;a=\x01\r\nhello\r\n", "size of a chunk"},
      {chunked + "5\r\nhello!\r\n", "CRLF"},
      {chunked + "5\r\nhello\n0\r\n\r\n", "CRLF"},
      {chunked + "0\r\nno colon\r\n\r\n", "trailer"},
      {ok + "Content-Length: 5\r\n\r\nhell", "before the response's body"},
      {chunked + "5\r\nhello\r\n", "before the response's body"},
      {chunked + "5\r\nhello\r\n0\r\n", "before the response's body"},
      {ok + "A: b\r\n", "before the response's head"},
      {"HTTP/1.1 100 Continue\r\n\r\n", "before the response's head"},
  };
  for (const auto& [text, problem] : cases) {
    EXPECT_THAT(read(text).problem, HasSubstr(problem)) << text;
    EXPECT_EQ(read_in_pieces(text, 1), read(text)) << text;
  }
}

// REQ: BLT-4
TEST(ResponseReader, RefusesAHeadThatIsTooLarge) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  EXPECT_THAT(read(ok + "A: " + std::string(10 << 20, 'a')).problem, HasSubstr("262144 bytes"));
  std::string many = ok;
  for (std::size_t i = 0; i <= kMaxResponseHeaders; ++i) {
    many += "a: b\r\n";
  }
  EXPECT_THAT(read(many + "\r\n").problem, HasSubstr("500 headers"));
  std::string interim;
  while (interim.size() < kMaxResponseHeadBytes) {
    interim += "HTTP/1.1 100 Continue\r\n\r\n";
  }
  EXPECT_THAT(read(interim + ok + "\r\n").problem, HasSubstr("262144 bytes"));
}

TEST(ResponseReader, RefusesLongChunkLinesAndTrailers) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_THAT(read(chunked + "5;" + std::string(5000, 'a') + "\r\nhello\r\n").problem,
              HasSubstr("4096 bytes"));
  std::string trailers = chunked + "0\r\n";
  for (int i = 0; i < 5000; ++i) {
    trailers += "a: b\r\n";
  }
  EXPECT_THAT(read(trailers + "\r\n").problem, HasSubstr("16384 bytes"));
}

TEST(ResponseReader, WaitsForMoreWithoutAnEnd) {
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel";
  const Outcome outcome =
      read_in_pieces(text, text.size(), ResponseReader::BodyRule::ByHead, AtEnd::Open);
  EXPECT_EQ(outcome.body, "hel");
  EXPECT_FALSE(outcome.ended);
}

}  // namespace
}  // namespace goondan::net
