#include "host/native/plugin_library.h"

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"
#include "os/capture.h"

namespace goondan {
namespace {

namespace fs = std::filesystem;
using test::plugin_path;
using test::TemporaryFolder;

Error load_error(const fs::path& path) {
  const auto library = PluginLibrary::load(path);
  EXPECT_FALSE(library.ok());
  return library.ok() ? Error{} : library.error();
}

bool mentions(const Error& error, std::string_view text) {
  return error.message.find(text) != std::string::npos;
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PluginLibrary, KnowsItsExports) {
  const auto library = PluginLibrary::load(plugin_path("c_plugin")).value();
  ASSERT_FALSE(library->export_names().empty());
  EXPECT_EQ(library->export_names().front(), "c_echo");
  EXPECT_NE(library->find("c_echo"), nullptr);
  EXPECT_EQ(library->find("c_ech"), nullptr);
}

TEST(PluginLibrary, RefusesAFileThatIsNoLibrary) {
  const TemporaryFolder folder;
  const Error text = load_error(folder.write("text.so", "just text, but long enough for a header"));
  EXPECT_EQ(text.code, ErrorCode::PluginLoad);
  EXPECT_TRUE(mentions(text, "text.so' is not a shared library"));
  EXPECT_EQ(load_error(folder.path() / "missing.so").code, ErrorCode::PluginLoad);
  EXPECT_EQ(load_error(folder.write("empty.so", "")).code, ErrorCode::PluginLoad);
}

TEST(PluginLibrary, RefusesALibraryThatIsCutOff) {
  const TemporaryFolder folder;
  const std::string whole = contents(plugin_path("c_plugin"));
  for (const std::size_t size : {30u, 64u, 200u, 1000u}) {
    const Error error = load_error(folder.write("cut.so", whole.substr(0, size)));
    EXPECT_EQ(error.code, ErrorCode::PluginLoad) << size;
  }
}

TEST(PluginLibrary, NamesBothMachinesOfALibraryForAnotherOne) {
  const TemporaryFolder folder;
  std::string bytes = contents(plugin_path("c_plugin"));
  bytes[18] = static_cast<char>(183);  // e_machine: aarch64
  const Error error = load_error(folder.write("other.so", bytes));
  EXPECT_EQ(error.code, ErrorCode::PluginArchitecture);
  EXPECT_TRUE(mentions(error, "was built for aarch64, this program is "));
  EXPECT_FALSE(error.suggestion.empty());
}

TEST(PluginLibrary, RefusesALibraryWithoutTheEntry) {
  const Error error = load_error(plugin_path("no_symbol"));
  EXPECT_EQ(error.code, ErrorCode::PluginSymbolMissing);
  EXPECT_TRUE(mentions(error, "gdn_plugin_entry"));
}

TEST(PluginLibrary, NamesBothVersionsOfAnotherAbi) {
  const Error error = load_error(plugin_path("wrong_abi"));
  EXPECT_EQ(error.code, ErrorCode::PluginAbiVersion);
  EXPECT_TRUE(mentions(error, "version 7"));
  EXPECT_TRUE(mentions(error, "version 1"));
}

TEST(PluginLibrary, SaysWhichSymbolNobodyDefines) {
  const Error error = load_error(plugin_path("undefined_symbol"));
  EXPECT_EQ(error.code, ErrorCode::PluginLoad);
  EXPECT_TRUE(mentions(error, "function_that_nobody_defines"));
}

void nothing(void*, const gdn_call*) {}

TEST(PluginLibrary, RefusesBrokenDescriptions) {
  const gdn_export good{
      .size = sizeof(gdn_export), .name = "a", .self = nullptr, .invoke = nothing};
  const gdn_export unnamed{good.size, nullptr, nullptr, nothing};
  const gdn_export empty{good.size, "", nullptr, nothing};
  const gdn_export short_one{8, "b", nullptr, nothing};
  const gdn_export hollow{good.size, "b", nullptr, nullptr};
  const std::string long_name(1000, 'n');
  const gdn_export wordy{good.size, long_name.c_str(), nullptr, nothing};
  for (const gdn_export* const second : {&good, &unnamed, &empty, &short_one, &hollow, &wordy,
                                         static_cast<const gdn_export*>(nullptr)}) {
    const std::array exports{&good, second};
    const gdn_plugin plugin{sizeof(gdn_plugin), GDN_ABI_VERSION, 2, exports.data()};
    const auto checked = check_plugin(&plugin, "x.so");
    ASSERT_FALSE(checked.ok());
    EXPECT_EQ(checked.error().code, ErrorCode::PluginLoad);
  }
  const std::array exports{&good};
  EXPECT_TRUE(
      check_plugin(
          std::array{gdn_plugin{sizeof(gdn_plugin), GDN_ABI_VERSION, 1, exports.data()}}.data(),
          "x.so")
          .ok());
}

TEST(PluginLibrary, RefusesBrokenLists) {
  const gdn_plugin broken[] = {{4, GDN_ABI_VERSION, 0, nullptr},
                               {offsetof(gdn_plugin, exports), GDN_ABI_VERSION, 0, nullptr},
                               {sizeof(gdn_plugin), GDN_ABI_VERSION, 1, nullptr},
                               {sizeof(gdn_plugin), GDN_ABI_VERSION, 1001, nullptr},
                               {sizeof(gdn_plugin), GDN_ABI_VERSION, 0xFFFFFFFF, nullptr}};
  for (const gdn_plugin& plugin : broken)
    EXPECT_EQ(check_plugin(&plugin, "x.so").error().code, ErrorCode::PluginLoad);
  EXPECT_EQ(check_plugin(nullptr, "x.so").error().code, ErrorCode::PluginLoad);
}

// What a plugin shows to others, as `nm` prints it: a letter for the kind, then the mangled name.
std::vector<std::string> exported_symbols(const fs::path& path) {
  const os::Captured run =
      os::run_captured({.child = {.argv = {"nm", "-D", "--defined-only", path.string()}},
                        .max_output = 1 << 20,
                        .deadline = test::soon()})
          .value();
  EXPECT_TRUE(run.status.success());
  std::vector<std::string> symbols;
  std::istringstream in(run.output);
  for (std::string line; std::getline(in, line);)
    symbols.push_back(line.substr(line.find(' ') + 1));
  return symbols;
}

// Whether a mangled name is that of something in the namespace `encoded`, e.g. "5boost".
bool is_in(std::string_view name, std::string_view encoded) {
  const std::size_t start = name.find_first_not_of("_ZNKTISVG");
  return start != std::string_view::npos && name.substr(start).starts_with(encoded);
}

// Two plugins and gdn itself may hold different versions of the same functions; only templates of
// the standard library are shared, as they are between any two libraries.
TEST(PluginLibrary, APluginExportsNothingOfOursButItsEntry) {
  EXPECT_TRUE(is_in("_ZNK7goondan5ErrorE", "7goondan"));
  std::size_t entries = 0;
  for (const std::string& symbol : exported_symbols(plugin_path("well_behaved"))) {
    const std::string name = symbol.substr(2);
    if (name == "gdn_plugin_entry") ++entries;
    EXPECT_FALSE(is_in(name, "7goondan") || is_in(name, "5boost")) << name;
  }
  EXPECT_EQ(entries, 1u);
}

}  // namespace
}  // namespace goondan
