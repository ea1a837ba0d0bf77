#include "host/native/source_build.h"

#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "host/native/compiler.h"
#include "host/native/plugin_fixture.h"
#include "host/native/source_hash.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;
using test::RecordingHost;
using test::TemporaryFolder;

constexpr std::string_view kSource = R"(
#include <goondan/plugin.h>
#include "word.h"

goondan::Result<goondan::Json> word(goondan::ToolContext&, const goondan::JsonObject&) {
  return WORD;
}

GDN_PLUGIN({"word", word})
)";

class SourceBuild : public testing::Test {
 protected:
  void SetUp() override { ::setenv("GOONDAN_STATE_ROOT", state_.path().c_str(), 1); }
  void TearDown() override {
    ::unsetenv("GOONDAN_STATE_ROOT");
    ::unsetenv("CXX");
  }

  static Result<fs::path> build(const fs::path& entry, std::stop_token stop = {}) {
    return build_plugin(entry, sdk_paths().value(), std::move(stop));
  }

  static std::string call_word(const fs::path& library) {
    auto worker =
        PluginWorker::start({.program = test::worker_path(), .plugin = library, .name = "word"},
                            test::soon(), {})
            .value();
    RecordingHost host;
    return to_text(worker->call(test::make_call({.export_name = "word"}, host)).value());
  }

  TemporaryFolder state_;
  TemporaryFolder sources_;
};

TEST_F(SourceBuild, BuildsAPluginOnceForEachStateOfItsSources) {
  const fs::path entry = sources_.write("word.cc", kSource);
  sources_.write("word.h", "#define WORD \"first\"\n");
  const fs::path first = build(entry).value();
  EXPECT_TRUE(first.string().starts_with((state_.path() / "build/word-").string()));
  EXPECT_EQ(call_word(first), "\"first\"");

  const fs::file_time_type built = fs::last_write_time(first);
  EXPECT_EQ(build(entry).value(), first);
  EXPECT_EQ(fs::last_write_time(first), built);

  sources_.write("word.h", "#define WORD \"second\"\n");
  std::vector<fs::path> paths(2);
  {
    const std::jthread other([&] { paths[0] = build(entry).value(); });
    paths[1] = build(entry).value();
  }
  EXPECT_EQ(paths[0], paths[1]);
  EXPECT_NE(paths[0], first);
  EXPECT_EQ(call_word(paths[0]), "\"second\"");
}

TEST_F(SourceBuild, SaysWhatTheCompilerSays) {
  const fs::path entry = sources_.write("broken.cc", "#include <goondan/plugin.h>\nint x = y;\n");
  const Error error = build(entry).error();
  EXPECT_EQ(error.code, ErrorCode::PluginBuild);
  EXPECT_NE(error.message.find("broken.cc:2:"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("error:"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(state_.path() / "build"));
}

TEST_F(SourceBuild, SaysThatThereIsNoCompiler) {
  const fs::path entry = sources_.write("a.cc", "");
  ::setenv("CXX", "no-such-compiler -O3", 1);
  const Error error = build(entry).error();
  EXPECT_EQ(error.code, ErrorCode::PluginBuild);
  EXPECT_NE(error.message.find("no-such-compiler"), std::string::npos);
  EXPECT_NE(error.suggestion.find("g++"), std::string::npos);
}

TEST_F(SourceBuild, CanBeStopped) {
  const fs::path entry = sources_.write("a.cc", "");
  ::setenv("CXX", "sh -c while:;do:;done", 1);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(build(entry, source.get_token()).error().code, ErrorCode::ToolCancelled);
}

TEST_F(SourceBuild, KnowsSourcesByTheirEnding) {
  EXPECT_TRUE(is_plugin_source("a.cc"));
  EXPECT_TRUE(is_plugin_source("b/a.cpp"));
  EXPECT_TRUE(is_plugin_source("a.cxx"));
  EXPECT_FALSE(is_plugin_source("a.so"));
  EXPECT_FALSE(is_plugin_source("cc"));
}

TEST_F(SourceBuild, ChoosesItsCacheFolder) {
  EXPECT_EQ(build_cache_folder().value(), state_.path() / "build");
  ::unsetenv("GOONDAN_STATE_ROOT");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(build_cache_folder().value(), "/cache/goondan/build");
  ::unsetenv("XDG_CACHE_HOME");
  const std::string home = std::getenv("HOME") == nullptr ? "/" : std::getenv("HOME");
  ::setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(build_cache_folder().value(), fs::path(home) / ".cache/goondan/build");
}

TEST(FirstErrors, PicksTheErrorsOfALongOutput) {
  EXPECT_EQ(first_errors("a.cc: In function\na.cc:1:2: error: one\nnote\na.cc:3:4: error: two\n"),
            "a.cc:1:2: error: one\na.cc:3:4: error: two");
  EXPECT_EQ(first_errors("linker said\nno\n"), "linker said\nno");
  EXPECT_LE(first_errors("error: " + std::string(100'000, 'x')).size(), 2000u);
  EXPECT_EQ(first_errors(""), "");
}

TEST(SourceHash, ChangesWithNamesContentsAndSalt) {
  const TemporaryFolder folder;
  folder.write("a.cc", "1");
  folder.write("notes.txt", "1");
  const std::uint64_t first = hash_sources(folder.path(), "salt").value();
  folder.write("notes.txt", "2");
  folder.write(".hidden/b.cc", "2");
  EXPECT_EQ(hash_sources(folder.path(), "salt").value(), first);
  EXPECT_NE(hash_sources(folder.path(), "pepper").value(), first);
  folder.write("lib/b.h", "2");
  const std::uint64_t second = hash_sources(folder.path(), "salt").value();
  EXPECT_NE(second, first);
  fs::rename(folder.path() / "lib/b.h", folder.path() / "lib/c.h");
  EXPECT_NE(hash_sources(folder.path(), "salt").value(), second);
}

TEST(SourceHash, RefusesAFolderFullOfSources) {
  const TemporaryFolder folder;
  folder.write("big.h", std::string(kMaxSourceBytes + 1, ' '));
  EXPECT_EQ(hash_sources(folder.path(), "").error().code, ErrorCode::PluginBuild);
  const TemporaryFolder many;
  for (std::size_t i = 0; i <= kMaxSourceFiles; ++i)
    many.write(std::to_string(i) + ".h", "");
  EXPECT_EQ(hash_sources(many.path(), "").error().code, ErrorCode::PluginBuild);
}

}  // namespace
}  // namespace goondan
