#include <gtest/gtest.h>

#include <goondan/catalog.h>
#include <goondan/registry.h>

namespace goondan {
namespace {

RegisteredTool tool(std::string name) {
  return {.item = {.name = std::move(name), .source = {.name = "test"}},
          .handler = [](ToolContext&, const JsonObject&) { return Result<Json>(Json(1)); }};
}

std::vector<std::string> names(const ToolCatalog& catalog) {
  std::vector<std::string> out;
  for (const auto& entry : catalog.entries())
    out.push_back(entry->name());
  return out;
}

TEST(ToolCatalog, IsASnapshotThatLaterRegistrationsDoNotTouch) {  // REQ: CAT-2
  ToolRegistry registry;
  ASSERT_TRUE(registry.add(tool("a__x")).ok());
  const ToolCatalog before(registry);
  ASSERT_TRUE(registry.add(tool("b__x")).ok());
  EXPECT_EQ(names(before), std::vector<std::string>{"a__x"});
  EXPECT_EQ(names(ToolCatalog(registry)), (std::vector<std::string>{"a__x", "b__x"}));
}

TEST(ToolCatalog, SharesTheSnapshotWhileTheRegistryIsUnchanged) {
  ToolRegistry registry;
  ASSERT_TRUE(registry.add(tool("a__x")).ok());
  EXPECT_EQ(ToolCatalog(registry).entries().data(), ToolCatalog(registry).entries().data());
}

TEST(ToolCatalog, FiltersAndAddsWithoutChangingTheOriginal) {
  ToolRegistry registry;
  ASSERT_TRUE(registry.add(tool("a__x")).ok());
  ASSERT_TRUE(registry.add(tool("b__x")).ok());
  const ToolCatalog all(registry);
  const ToolCatalog one = all.filtered([](const CatalogItem& item) { return item.name == "b__x"; });
  const ToolCatalog two = one.with({.name = "c__x"}).value();
  EXPECT_EQ(names(all), (std::vector<std::string>{"a__x", "b__x"}));
  EXPECT_EQ(names(one), std::vector<std::string>{"b__x"});
  EXPECT_EQ(names(two), (std::vector<std::string>{"b__x", "c__x"}));
  EXPECT_EQ(one.find("a__x"), nullptr);
}

TEST(ToolCatalog, PutsAnItemOfTheSameNameInItsPlace) {  // REQ: RES-3
  const ToolCatalog first = ToolCatalog().with({.name = "a__x"}).value();
  const ToolCatalog second = first.with({.name = "b__x"}).value();
  const ToolCatalog third = second.with({.name = "a__x", .description = "new"}).value();
  EXPECT_EQ(names(third), (std::vector<std::string>{"a__x", "b__x"}));
  ASSERT_NE(third.find("a__x"), nullptr);
  EXPECT_EQ(third.find("a__x")->item().description, "new");
}

TEST(ToolCatalog, RefusesAnItemWhoseParametersAreNoSchema) {
  const auto result = ToolCatalog().with({.name = "a__x", .parameters = Json({{"type", 12}})});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::Schema);
  EXPECT_NE(result.error().message.find("a__x"), std::string::npos);
}

TEST(CatalogItem, ShowsWhatTheSpecificationNames) {  // REQ: CAT-5
  CatalogItem item{.name = "bash__exec",
                   .description = "Runs",
                   .parameters = Json({{"type", "object"}}),
                   .source = {.name = "bash"}};
  EXPECT_EQ(to_text(item.to_json()),
            R"({"name":"bash__exec","description":"Runs","parameters":{"type":"object"},)"
            R"("source":{"type":"config","name":"bash"}})");
  item.tool = nullptr;
  item.export_spec = nullptr;
  EXPECT_NE(to_text(item.to_json()).find(R"("tool":null,"export":null)"), std::string::npos);
}

}  // namespace
}  // namespace goondan
