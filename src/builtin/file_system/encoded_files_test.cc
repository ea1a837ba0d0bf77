#include "builtin/file_system/encoded_files.h"

#include "builtin/file_system/scratch_folder.h"

namespace goondan::builtin::file_system {
namespace {

class EncodedFiles : public ScratchFolder {
 protected:
  [[nodiscard]] os::Workspace workspace() const {
    return os::Workspace::open({.workdir = folder}).value();
  }

  [[nodiscard]] Result<Json> read(const JsonObject& input) const {
    return read_encoded(workspace(), input);
  }

  [[nodiscard]] Result<Json> write(const JsonObject& input) const {
    return write_encoded(workspace(), input);
  }
};

// REQ: BLT-6
TEST_F(EncodedFiles, ReadWithTheShapeOfTheFirstDialect) {
  put("a.txt", "héllo");
  EXPECT_EQ(to_text(*read({{"path", "a.txt"}})),
            to_text(JsonObject{
                {"path", at("a.txt")}, {"size", 6}, {"truncated", false}, {"content", "héllo"}}));
}

TEST_F(EncodedFiles, ReadInTheEncodingThatIsAskedFor) {
  put("a.bin", std::string_view("\xFF\x00\x41", 3));
  const auto content = [this](const char* encoding) {
    const Json result = read({{"path", "a.bin"}, {"encoding", encoding}}).value();
    return std::string(result.at("content").as_string());
  };
  EXPECT_EQ(content("base64"), "/wBB");
  EXPECT_EQ(content("hex"), "ff0041");
  EXPECT_EQ(content("latin1"), std::string("\u00FF\0A", 4));
  EXPECT_EQ(content("utf8"), std::string("\uFFFD\0A", 5));
  EXPECT_EQ(content(""), std::string("\uFFFD\0A", 5));
}

TEST_F(EncodedFiles, CountTheBytesOfTheFile) {
  put("a.bin", "abcdef");
  const Json result = read({{"path", "a.bin"}, {"encoding", "base64"}, {"maxBytes", 3}}).value();
  EXPECT_EQ(result.at("content").as_string(), "YWJj");
  EXPECT_EQ(result.at("size").to_number<int>(), 6);
  EXPECT_TRUE(result.at("truncated").as_bool());
}

TEST_F(EncodedFiles, WriteWithTheShapeOfTheFirstDialect) {
  EXPECT_EQ(to_text(*write({{"path", "d/a.txt"}, {"content", "héllo"}})),
            to_text(JsonObject{{"path", at("d/a.txt")}, {"size", 6}, {"written", true}}));
  EXPECT_EQ(bytes_of("d/a.txt"), "héllo");
  EXPECT_TRUE(write({{"path", "empty"}, {"content", ""}}).ok());
  EXPECT_EQ(bytes_of("empty"), "");
}

TEST_F(EncodedFiles, WriteWhatTheTextStandsFor) {
  EXPECT_TRUE(write({{"path", "a"}, {"content", "/wBB"}, {"encoding", "base64"}}).ok());
  EXPECT_EQ(bytes_of("a"), std::string("\xFF\0A", 3));
  EXPECT_FALSE(write({{"path", "a"}, {"content", "zz"}, {"encoding", "hex"}}).ok());
  EXPECT_EQ(bytes_of("a"), std::string("\xFF\0A", 3));
}

TEST_F(EncodedFiles, RefuseWhatTheyCannotDo) {
  EXPECT_EQ(read({{"path", ""}}).error().message, "'path' must be a non-empty string");
  EXPECT_EQ(write({{"path", "a"}, {"content", "x"}, {"encoding", "utf7"}}).error().code,
            ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(read({{"path", "../x"}}).error().code, ErrorCode::PathOutsideWorkspace);
  EXPECT_EQ(write({{"path", "/etc/x"}, {"content", ""}}).error().code,
            ErrorCode::PathOutsideWorkspace);
}

}  // namespace
}  // namespace goondan::builtin::file_system
