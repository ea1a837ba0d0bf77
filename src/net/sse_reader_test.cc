#include "net/sse_reader.h"

#include <vector>

#include <gtest/gtest.h>

namespace goondan::net {
namespace {

std::vector<SseEvent> read_in_pieces(std::string_view text, std::size_t piece) {
  SseReader reader;
  std::vector<SseEvent> events;
  while (!text.empty()) {
    std::string_view input = text.substr(0, piece);
    text.remove_prefix(input.size());
    while (auto event = reader.next(input).value()) {
      events.push_back(*std::move(event));
    }
  }
  return events;
}

std::vector<SseEvent> read(std::string_view text) {
  return read_in_pieces(text, text.size());
}

TEST(SseReader, ReadsDataTypeAndId) {
  EXPECT_EQ(read("event: add\nid: 7\ndata: one\ndata: two\n\ndata: three\n\n"),
            (std::vector<SseEvent>{{.type = "add", .data = "one\ntwo", .last_id = "7"},
                                   {.type = "message", .data = "three", .last_id = "7"}}));
}

TEST(SseReader, RemovesOneSpaceAfterTheColonAndNoMore) {
  EXPECT_EQ(read("data:a\n\ndata:  b \n\n"),
            (std::vector<SseEvent>{{.data = "a"}, {.data = " b "}}));
}

// The examples of the specification.
TEST(SseReader, DispatchesEmptyDataButNotNoData) {
  EXPECT_EQ(read("data\n\ndata\ndata\n\ndata:\n"),
            (std::vector<SseEvent>{{.data = ""}, {.data = "\n"}}));
  EXPECT_TRUE(read("event: nothing\nid: 1\n\n").empty());
  EXPECT_TRUE(read("data: cut off").empty());
  EXPECT_TRUE(read("data: cut off\n").empty());
}

TEST(SseReader, IgnoresCommentsUnknownFieldsAndAByteOrderMark) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "data: a\n: ping\nother: x\nDATA: no\n\n"),
            (std::vector<SseEvent>{{.data = "a"}}));
}

TEST(SseReader, EndsLinesAtAnyOfTheThreeEnds) {
  const std::vector<SseEvent> expected = {{.data = "a\nb"}, {.data = "c"}};
  for (const std::string_view text :
       {"data: a\ndata: b\n\ndata: c\n\n", "data: a\rdata: b\r\rdata: c\r\r",
        "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", "data: a\r\ndata: b\n\rdata: c\r\n\n"}) {
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
      EXPECT_EQ(read_in_pieces(text, piece), expected) << text << piece;
    }
  }
}

TEST(SseReader, KeepsTheLastIdAndTheTimeToWait) {
  SseReader reader;
  std::string_view input("id: 1\nretry: 2500\n\nid: with\0nul\nretry: soon\n\nid: 9\n", 51);
  EXPECT_FALSE(reader.next(input).value().has_value());
  EXPECT_EQ(reader.last_id(), "1");
  EXPECT_EQ(reader.retry(), std::chrono::milliseconds(2500));
}

TEST(SseReader, MakesTextsValidUtf8) {
  EXPECT_EQ(read("data: a\xff"
                 "b\n\n"),
            (std::vector<SseEvent>{{.data = "a\xef\xbf\xbd"
                                            "b"}}));
}

TEST(SseReader, RefusesLinesAndEventsThatAreTooLarge) {
  SseReader lines(10);
  std::string_view line = "data: 12345";
  EXPECT_EQ(lines.next(line).error().code, ErrorCode::Limit);
  SseReader events(10);
  std::string_view event = "data: 1234\ndata: 1234\ndata: 1234\n";
  EXPECT_EQ(events.next(event).error().code, ErrorCode::Limit);
  SseReader endless(1000);
  for (int i = 0; i < 1000; ++i) {
    std::string_view comment = ": ping\n";
    EXPECT_TRUE(endless.next(comment).ok());
  }
}

}  // namespace
}  // namespace goondan::net
