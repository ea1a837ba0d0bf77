#include "host/native/check_handlers.h"

#include <vector>

#include <gtest/gtest.h>

namespace goondan {
namespace {

using Names = std::vector<std::string>;

TEST(CheckHandlers, AcceptsTheSameNamesInAnyOrder) {
  EXPECT_TRUE(check_handlers("text", Names{"a", "b"}, Names{"b", "a"}).ok());
  EXPECT_TRUE(check_handlers("text", Names{}, Names{}).ok());
}

TEST(CheckHandlers, NamesAnExportWithoutAHandlerAndTheNearestOne) {  // REQ: RES-10
  const auto result = check_handlers("text", Names{"uppercase", "trim"}, Names{"upercase", "trim"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::PluginHandlerMissing);
  EXPECT_EQ(result.error().message,
            "tool 'text' declares the export 'uppercase', but its plugin has no handler of that "
            "name; the nearest is 'upercase'");
  EXPECT_NE(result.error().suggestion.find("GDN_PLUGIN"), std::string::npos);
}

TEST(CheckHandlers, NamesAHandlerWithoutAnExport) {  // REQ: RES-10
  const auto result = check_handlers("text", Names{"trim"}, Names{"trim", "secret"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::PluginHandlerUndeclared);
  EXPECT_EQ(result.error().message,
            "the plugin of tool 'text' has a handler 'secret', but the tool declares no export of "
            "that name");
  EXPECT_NE(result.error().suggestion.find("spec.exports"), std::string::npos);
}

}  // namespace
}  // namespace goondan
