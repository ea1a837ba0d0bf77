#include "tool/provider_names.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

ToolCatalog catalog_of(const std::vector<std::string>& names) {
  ToolCatalog catalog;
  for (const std::string& name : names)
    catalog = catalog.with({.name = name}).value();
  return catalog;
}

TEST(ProviderNames, LeavesOrdinaryNamesAlone) {  // REQ: NAME-1
  const ProviderNames names(catalog_of({"file-system__read"}));
  EXPECT_EQ(names.to_provider("file-system__read"), "file-system__read");
  EXPECT_EQ(names.from_provider("file-system__read"), "file-system__read");
}

TEST(ProviderNames, MapsDottedAndLongNamesReversibly) {  // REQ: NAME-3, DEC-12
  const std::string long_name = "server__" + std::string(100, 'x');
  const std::vector<std::string> all{
      "slack.postMessage", "slack_postMessage", "slack-post.Message", "a.b", "a_b",
      long_name,           long_name + "y"};
  const ProviderNames names(catalog_of(all));
  for (const std::string& name : all) {
    const std::string mapped = names.to_provider(name);
    EXPECT_TRUE(provider_accepts(mapped)) << mapped;
    EXPECT_EQ(names.from_provider(mapped), name);
  }
}

TEST(ProviderNames, HandsUnknownNamesBack) {
  const ProviderNames names(catalog_of({"a__b"}));
  EXPECT_EQ(names.from_provider("made_up"), "made_up");
}

}  // namespace
}  // namespace goondan
