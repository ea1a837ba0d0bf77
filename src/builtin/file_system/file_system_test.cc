// The tool as a model meets it: through a registry, a schema and an executor.
#include "builtin/file_system/file_system.h"

#include <goondan/executor.h>
#include <goondan/goondan.h>

#include "base/redactor.h"
#include "builtin/file_system/scratch_folder.h"
#include "os/rooted_files.h"

namespace goondan::builtin::file_system {
namespace {

class FileSystemTool : public ScratchFolder {
 protected:
  ToolCallResult call(const std::string& name, JsonObject input,
                      BuiltinOptions options = {}) const {
    options.only = {"file-system"};
    ToolRegistry registry;
    EXPECT_TRUE(add_builtin_tools(registry, options).ok());
    const auto scope = std::make_shared<const CallScope>(CallScope{.workdir = folder});
    return ToolExecutor(registry).run(
        ToolCatalog(registry),
        {.id = "1", .name = "file-system__" + name, .input = std::move(input)}, {.scope = scope});
  }

  [[nodiscard]] std::string output(const std::string& name, JsonObject input) const {
    const ToolCallResult result = call(name, std::move(input));
    return result.ok() ? to_text(*result.output) : "error: " + result.error->message;
  }
};

// REQ: BLT-fs
TEST_F(FileSystemTool, ReadsWithTheKeysOfTheSpecificationInTheirOrder) {
  put("a.txt", "héllo");
  EXPECT_EQ(output("read", {{"path", "a.txt"}}), R"({"path":")" + at("a.txt") +
                                                     R"(","size":6,"truncated":false,)"
                                                     R"("content":"héllo"})");
}

// REQ: DEC-3
TEST_F(FileSystemTool, NeverCutsThroughACharacter) {
  put("a.txt", "h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80!");
  const std::vector<std::string> expected = {"h",   "h",   "hé",  "hé",   "hé",   "hé€",
                                             "hé€", "hé€", "hé€", "hé€😀", "hé€😀!"};
  for (std::size_t limit = 1; limit <= expected.size(); ++limit) {
    const ToolCallResult result = call("read", {{"path", "a.txt"}, {"maxBytes", limit}});
    EXPECT_EQ(result.output->at("content").as_string(), expected[limit - 1]) << limit;
    EXPECT_EQ(result.output->at("truncated").as_bool(), limit < expected.size());
    EXPECT_EQ(result.output->at("size").to_number<int>(), 11);
  }
}

// REQ: BLT-5
TEST_F(FileSystemTool, ShowsNoHalfOfASecret) {
  const auto redactor = std::make_shared<Redactor>();
  redactor->add_secret("s3cretvalue99longer");
  put("sec.txt", "key is s3cretvalue99longer and more");
  const auto content = [&](int limit) {
    const ToolCallResult result =
        call("read", {{"path", "sec.txt"}, {"maxBytes", limit}}, {.redactor = redactor});
    return std::string(result.output->at("content").as_string());
  };
  EXPECT_EQ(content(25), "key is [redacted]");
  EXPECT_EQ(content(11), "key is [redacted]");
  EXPECT_EQ(content(10), "key is s3c");
}

TEST_F(FileSystemTool, ShowsStrayBytesAsReplacementCharacters) {
  put("bin", std::string_view("\xFF"
                              "A\0\xE2\x82",
                              5));
  const ToolCallResult result = call("read", {{"path", "bin"}});
  EXPECT_EQ(result.output->at("content").as_string(), std::string("\uFFFDA\0\uFFFD\uFFFD", 11));
}

TEST_F(FileSystemTool, TakesAnyPositiveNumberOfBytes) {
  put("a.txt", "hello");
  EXPECT_EQ(call("read", {{"path", "a.txt"}, {"maxBytes", 2.9}}).output->at("content").as_string(),
            "he");
  EXPECT_EQ(call("read", {{"path", "a.txt"}, {"maxBytes", 1e300}}).output->at("size"), 5);
  for (const Json& wrong : {Json(0), Json(-5), Json(0.5), Json("10"), Json(nullptr)}) {
    const ToolCallResult result = call("read", {{"path", "a.txt"}, {"maxBytes", wrong}});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error->code, ErrorCode::ToolInvalidArgs);
    EXPECT_NE(result.error->message.find("maxBytes"), std::string::npos);
  }
}

TEST_F(FileSystemTool, Writes) {
  EXPECT_EQ(output("write", {{"path", "w/x.txt"}, {"content", "한글"}}),
            R"({"path":")" + at("w/x.txt") + R"(","size":6,"written":true,"append":false})");
  EXPECT_EQ(output("write", {{"path", "w/x.txt"}, {"content", "!"}, {"append", true}}),
            R"({"path":")" + at("w/x.txt") + R"(","size":7,"written":true,"append":true})");
  EXPECT_EQ(bytes_of("w/x.txt"), "한글!");
  EXPECT_TRUE(call("write", {{"path", "w/x.txt"}, {"content", ""}}).ok());
  EXPECT_EQ(bytes_of("w/x.txt"), "");
}

TEST_F(FileSystemTool, Lists) {
  put("d/b.txt", "1");
  put("d/e/c.txt", "22");
  const std::string e = at("d/e");
  EXPECT_EQ(output("list", {{"path", "d"}}),
            R"({"path":")" + at("d") + R"(","recursive":false,"count":2,"entries":[)" +
                R"({"name":"b.txt","path":")" + at("d/b.txt") + R"(","type":"file","size":1},)" +
                R"({"name":"e","path":")" + e + R"(","type":"dir"}]})");
  EXPECT_EQ(output("list", {{"path", "d"}, {"recursive", true}, {"includeDirs", false}}),
            R"({"path":")" + at("d") + R"(","recursive":true,"count":2,"entries":[)" +
                R"({"name":"b.txt","path":")" + at("d/b.txt") + R"(","type":"file","size":1},)" +
                R"({"name":"c.txt","path":")" + e + R"(/c.txt","type":"file","size":2}]})");
}

TEST_F(FileSystemTool, ListsTheWorkingFolderUnlessToldOtherwise) {
  put("a", "");
  for (const JsonObject& input :
       {JsonObject{}, JsonObject{{"path", ""}}, JsonObject{{"path", "."}}}) {
    const ToolCallResult result = call("list", input);
    EXPECT_EQ(result.output->at("path").as_string(), folder.string());
    EXPECT_EQ(result.output->at("count"), 1);
  }
  EXPECT_EQ(call("list", {{"path", "./"}}).output->at("path").as_string(), folder.string() + "/");
}

TEST_F(FileSystemTool, SaysThatAListWasCut) {
  for (std::size_t i = 0; i <= os::kMaxListEntries; ++i)
    put("f" + std::to_string(i), "");
  const ToolCallResult result = call("list", {});
  EXPECT_EQ(result.output->at("count"), os::kMaxListEntries);
  EXPECT_EQ(result.output->at("truncated"), true);
  EXPECT_EQ(result.output->at("total"), os::kMaxListEntries + 1);
  EXPECT_EQ(result.output->at("limit"), os::kMaxListEntries);
}

TEST_F(FileSystemTool, MakesFolders) {
  EXPECT_EQ(output("mkdir", {{"path", "m/n"}}),
            R"({"path":")" + at("m/n") + R"(","created":true,"recursive":true})");
  EXPECT_TRUE(call("mkdir", {{"path", "m/n"}}).ok());
  EXPECT_FALSE(call("mkdir", {{"path", "m/n"}, {"recursive", false}}).ok());
  EXPECT_FALSE(call("mkdir", {{"path", "q/r"}, {"recursive", false}}).ok());
}

// REQ: DEC-5
TEST_F(FileSystemTool, StaysInsideWithEveryExport) {
  for (const char* path : {"../x", "/etc/x", "a/../../x"}) {
    for (const char* name : {"read", "list", "mkdir"})
      EXPECT_EQ(call(name, {{"path", path}}).error->code, ErrorCode::PathOutsideWorkspace);
    EXPECT_EQ(call("write", {{"path", path}, {"content", "x"}}).error->code,
              ErrorCode::PathOutsideWorkspace);
  }
}

TEST_F(FileSystemTool, UsesTheFoldersThatTheOperatorGrants) {
  put("other/a.txt", "hello");
  std::filesystem::create_directory(folder / "work");
  const BuiltinOptions options{
      .policy = {.file_roots = {{.path = at("other"), .access = Policy::FileRoot::Access::Read}}}};
  folder /= "work";
  const std::string path = folder.parent_path() / "other/a.txt";
  EXPECT_TRUE(call("read", {{"path", path}}, options).ok());
  EXPECT_TRUE(call("read", {{"path", "../other/a.txt"}}, options).ok());
  EXPECT_EQ(call("write", {{"path", path}, {"content", "x"}}, options).error->code,
            ErrorCode::PathReadOnly);
  folder = folder.parent_path();
}

TEST_F(FileSystemTool, TakesAPathWithASlashAtItsEndForAFolder) {
  put("a.txt", "x");
  EXPECT_EQ(call("read", {{"path", "a.txt/"}}).error->code, ErrorCode::PathInvalid);
  EXPECT_EQ(call("write", {{"path", "new/"}, {"content", "x"}}).error->code,
            ErrorCode::PathInvalid);
  EXPECT_TRUE(call("mkdir", {{"path", "new/"}}).ok());
}

TEST_F(FileSystemTool, RefusesWhatItsSchemaDoesNotKnow) {
  EXPECT_EQ(call("read", {}).error->code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("read", {{"path", ""}}).error->code, ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("read", {{"path", "a"}, {"encoding", "utf8"}}).error->code,
            ErrorCode::ToolInvalidArgs);
  EXPECT_EQ(call("write", {{"path", "a"}, {"content", "x"}, {"append", "yes"}}).error->code,
            ErrorCode::ToolInvalidArgs);
}

TEST_F(FileSystemTool, SaysWhatIsMissingAndWhatToDo) {
  const ToolCallResult missing = call("read", {{"path", "no.txt"}});
  EXPECT_EQ(missing.error->message, "cannot read 'no.txt': no such file or directory");
  EXPECT_EQ(missing.error->suggestion, "Call file-system__list to see which files there are.");
  put("notes.txt", "");
  EXPECT_EQ(call("read", {{"path", "note.txt"}}).error->suggestion, "Did you mean 'notes.txt'?");
}

TEST_F(FileSystemTool, RefusesANulByte) {
  const ToolCallResult result = call("read", {{"path", std::string_view("a\0b", 3)}});
  EXPECT_EQ(result.error->code, ErrorCode::PathInvalid);
}

}  // namespace
}  // namespace goondan::builtin::file_system
