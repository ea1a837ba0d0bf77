#include "host/mcp/results.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "host/mcp/mcp_fixture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;

class McpResults : public ::testing::Test {
 protected:
  Result<McpOutput> output(std::string_view text) {
    McpResultFiles files({.workdir = folder_.path().string(),
                          .server = "draw",
                          .tool = "chart/pie",
                          .call_id = "call_1"});
    return mcp_output(*parse_json(text), files);
  }

  std::string value(std::string_view text) {
    const Result<McpOutput> got = output(text);
    return got.ok() ? to_text(got->value)
                    : std::string(got.error().code_text()) + " " + got.error().message;
  }

  static std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  test::TestFolder folder_;
};

TEST_F(McpResults, TextsBecomeOneString) {
  EXPECT_EQ(value(R"({"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]})"),
            R"("one\ntwo")");
  EXPECT_EQ(value(R"({"content":[]})"), R"("")");
}

TEST_F(McpResults, StructuredContentIsTheResultAndItsRepetitionGoes) {
  EXPECT_EQ(
      value(
          R"({"content":[{"type":"text","text":"{\"b\": 2, \"a\": 1}"}],"structuredContent":{"a":1,"b":2}})"),
      R"({"a":1,"b":2})");
  EXPECT_EQ(
      value(
          R"({"content":[{"type":"text","text":"of a file"}],"structuredContent":{"content":"of a file"}})"),
      R"({"content":"of a file"})");
  EXPECT_EQ(value(R"({"structuredContent":[1,2]})"), "[1,2]");
  EXPECT_EQ(value(R"({"content":[{"type":"text","text":"more"}],"structuredContent":{"a":1}})"),
            R"({"structuredContent":{"a":1},"content":[{"type":"text","text":"more"}]})");
}

TEST_F(McpResults, ImagesAndSoundsAreWrittenToFiles) {
  const std::string png = "\x89PNG not really";
  const Json result = JsonObject{
      {"content",
       JsonArray{
           JsonObject{{"type", "text"}, {"text", "a chart"}},
           JsonObject{{"type", "image"}, {"mimeType", "image/png"}, {"data", base64_encode(png)}},
           JsonObject{
               {"type", "audio"}, {"mimeType", "audio/mpeg"}, {"data", base64_encode("la")}}}}};
  EXPECT_EQ(
      value(to_text(result)),
      R"({"content":[{"type":"text","text":"a chart"},)"
      R"({"type":"image","mimeType":"image/png","bytes":15,"path":"mcp-results/draw-chart_pie-call_1-1.png"},)"
      R"({"type":"audio","mimeType":"audio/mpeg","bytes":2,"path":"mcp-results/draw-chart_pie-call_1-2.mp3"}]})");
  const fs::path file = folder_.path() / "mcp-results/draw-chart_pie-call_1-1.png";
  EXPECT_EQ(bytes_of(file), png);
  struct stat facts {};
  ASSERT_EQ(::stat(file.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600U);
}

TEST_F(McpResults, ACallIdThatComesTwiceReplacesNothing) {
  const std::string first =
      R"({"content":[{"type":"image","mimeType":"image/gif","data":"b25l"}]})";
  const std::string second =
      R"({"content":[{"type":"image","mimeType":"image/gif","data":"dHdv"}]})";
  ASSERT_TRUE(output(first).ok());
  const Result<McpOutput> again = output(second);
  const std::string path(again->value.at("content").at(0).at("path").get_string());
  EXPECT_EQ(bytes_of(folder_.path() / path), "two");
  EXPECT_EQ(bytes_of(folder_.path() / "mcp-results/draw-chart_pie-call_1-1.gif"), "one");
}

TEST_F(McpResults, AResultsFolderThatIsALinkIsNotFollowed) {
  const fs::path outside = folder_.path() / "outside";
  fs::create_directory(outside);
  fs::create_directory_symlink(outside, folder_.path() / "mcp-results");
  const std::string got =
      value(R"({"content":[{"type":"image","mimeType":"image/png","data":"b25l"}]})");
  EXPECT_NE(got.find(R"("problem":"not kept: )"), std::string::npos) << got;
  EXPECT_TRUE(fs::is_empty(outside));
}

TEST_F(McpResults, ResourcesAreKeptAndTheirBytesWritten) {
  EXPECT_EQ(value(R"({"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]})"),
            R"({"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]})");
  EXPECT_EQ(
      value(
          R"({"content":[{"type":"resource","resource":{"uri":"x://1","text":"hi","mimeType":"text/plain"}}]})"),
      R"({"content":[{"type":"resource","resource":{"uri":"x://1","text":"hi","mimeType":"text/plain"}}]})");
  EXPECT_EQ(
      value(
          R"({"content":[{"type":"resource","resource":{"uri":"x://1","blob":"b25l","mimeType":"application/pdf"}}]})"),
      R"({"content":[{"type":"resource","resource":{"uri":"x://1","mimeType":"application/pdf",)"
      R"("bytes":3,"path":"mcp-results/draw-chart_pie-call_1-1.pdf"}}]})");
}

TEST_F(McpResults, WhatIsNoBase64IsSaid) {
  EXPECT_EQ(
      value(R"({"content":[{"type":"image","mimeType":"image/png","data":"!!"}]})"),
      R"({"content":[{"type":"image","mimeType":"image/png","problem":"the server sent no valid base64"}]})");
}

TEST_F(McpResults, ErrorsOfTheToolAreErrors) {
  EXPECT_EQ(value(R"({"isError":true,"content":[{"type":"text","text":"no such\u200b city"}]})"),
            "E_MCP_TOOL no such city");
  EXPECT_EQ(value(R"({"isError":true,"content":[]})"),
            "E_MCP_TOOL the tool failed and did not say why");
}

TEST_F(McpResults, WhatIsNoResultIsAnError) {
  for (const std::string_view text :
       {"{}", "1", "null", "[]", R"({"content":"x"})", R"({"content":{}})"})
    EXPECT_TRUE(value(text).starts_with("E_MCP ")) << text;
  EXPECT_EQ(
      value(R"({"content":[1,null,{"type":5},{"type":"image"},{"type":"resource","resource":3}]})"),
      R"({"content":[1,null,{"type":5},{"type":"image"},{"type":"resource","resource":3}]})");
}

// SECURITY 5.5
TEST_F(McpResults, HiddenCharactersInResultsAreRemovedAndCounted) {
  const Result<McpOutput> got =
      output(R"({"structuredContent":{"a":"x\u202ey","b":["\udb40\udc41z"]}})");
  EXPECT_EQ(to_text(got->value), R"({"a":"xy","b":["z"]})");
  EXPECT_EQ(got->removed, 2U);
}

TEST_F(McpResults, AServerCannotMakeACallPending) {
  EXPECT_EQ(value(R"({"structuredContent":{"__async":true,"handle":"h"}})"),
            R"({"structuredContent":{"__async":true,"handle":"h"}})");
  EXPECT_EQ(value(R"({"structuredContent":{"__as\u200bync":true,"handle":"h"}})"),
            R"({"structuredContent":{"__async":true,"handle":"h"}})");
}

// Each text was compared with each field: minutes for one message.
TEST_F(McpResults, ManyTextsAndManyFieldsTakeNoTime) {
  std::string text = R"({"content":[{"type":"text","text":"0"})";
  for (int i = 1; i < 100'000; ++i)
    text += R"(,{"type":"text","text":"c"})";
  text += R"(],"structuredContent":{"a":"0")";
  for (int i = 1; i < 200'000; ++i)
    text += ",\"" + std::to_string(i) + R"(":"b")";
  const Result<McpOutput> got = output(text + "}}");
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->value.at("content").get_array().size(), 99'999U);
}

TEST_F(McpResults, OneCallCannotFillAFolderWithFiles) {
  std::string text = R"({"content":[{"type":"image","data":"b25l"})";
  for (std::size_t i = 1; i <= kMaxResultFiles; ++i)
    text += R"(,{"type":"image","data":"b25l"})";
  const Result<McpOutput> got = output(text + "]}");
  ASSERT_TRUE(got.ok());
  const JsonArray& blocks = got->value.at("content").get_array();
  EXPECT_TRUE(blocks[kMaxResultFiles - 1].get_object().contains("path"));
  EXPECT_EQ(blocks[kMaxResultFiles].at("problem"), "not kept: one result may have 100 files");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "mcp-results"), {}), 100);
}

}  // namespace
}  // namespace goondan
