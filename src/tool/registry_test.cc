#include <thread>

#include <gtest/gtest.h>

#include <goondan/registry.h>

namespace goondan {
namespace {

RegisteredTool tool(std::string name, std::string owner) {
  return {.item = {.name = std::move(name), .source = {.name = std::move(owner)}},
          .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(1)); }};
}

TEST(ToolRegistry, NamesBothOwnersOfADuplicate) {  // REQ: DEC-10
  ToolRegistry registry;
  ASSERT_TRUE(registry.add(tool("a__x", "first")).ok());
  const auto again = registry.add(tool("a__x", "second"));
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::ToolDuplicate);
  EXPECT_NE(again.error().message.find("Tool/first"), std::string::npos);
  EXPECT_NE(again.error().message.find("Tool/second"), std::string::npos);
}

TEST(ToolRegistry, LetsOnlyTheOwnerReplaceATool) {  // REQ: DEC-10
  ToolRegistry registry;
  ASSERT_TRUE(registry.add(tool("a__x", "first")).ok());
  EXPECT_FALSE(registry.add_or_replace(tool("a__x", "second")).ok());
  RegisteredTool better = tool("a__x", "first");
  better.item.description = "better";
  ASSERT_TRUE(registry.add_or_replace(std::move(better)).ok());
  EXPECT_EQ(registry.find("a__x")->catalog_entry->item().description, "better");
  EXPECT_EQ(registry.size(), 1u);
}

TEST(ToolRegistry, LetsOnlyTheOwnerRemoveATool) {  // REQ: CAT-1
  ToolRegistry registry;
  for (const char* name : {"a__x", "a__y", "a__z"})
    ASSERT_TRUE(registry.add(tool(name, "first")).ok());
  const std::uint64_t before = registry.revision();
  EXPECT_FALSE(registry.remove("a__y", {.name = "second"}));
  EXPECT_FALSE(registry.remove("a__q", {.name = "first"}));
  EXPECT_EQ(registry.revision(), before);
  const auto kept = registry.find("a__y");
  EXPECT_TRUE(registry.remove("a__y", {.name = "first"}));
  EXPECT_NE(registry.revision(), before);
  EXPECT_EQ(registry.find("a__y"), nullptr);
  EXPECT_EQ(kept->catalog_entry->name(), "a__y");  // for a call that runs
  EXPECT_EQ(registry.find("a__z")->catalog_entry->name(), "a__z");
  EXPECT_EQ(ToolCatalog(registry).size(), 2u);
  EXPECT_TRUE(registry.add(tool("a__y", "second")).ok());
}

TEST(ToolRegistry, RefusesNamesThatAreNone) {  // REQ: NAME-2, RES-7, RES-8
  ToolRegistry registry;
  const std::string long_name = "a__" + std::string(300, 'x');
  for (const std::string& name :
       {std::string("weather"), std::string(""), std::string("__x"), std::string("a__"),
        std::string("a b__c"), std::string("날씨__x"), std::string(".x"), long_name}) {
    const auto added = registry.add(tool(name, "t"));
    ASSERT_FALSE(added.ok()) << name;
    EXPECT_EQ(added.error().code, ErrorCode::ToolInvalidName) << name;
  }
}

TEST(ToolRegistry, TakesDottedNamesOfTheFirstDialect) {  // REQ: NAME-3
  ToolRegistry registry;
  EXPECT_TRUE(registry.add(tool("slack.postMessage", "slackToolkit")).ok());
}

TEST(ToolRegistry, CanBeReadWhileItGrows) {  // REQ: CAT-1
  ToolRegistry registry;
  ASSERT_TRUE(registry.add(tool("a__x", "t")).ok());
  std::jthread writer([&registry] {
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(registry.add(tool("b__x" + std::to_string(i), "t")).ok());
    }
  });
  for (int i = 0; i < 500; ++i) {
    EXPECT_NE(registry.find("a__x"), nullptr);
    EXPECT_TRUE(ToolCatalog(registry).contains("a__x"));
  }
  writer.join();
  EXPECT_EQ(ToolCatalog(registry).size(), 501u);
}

}  // namespace
}  // namespace goondan
