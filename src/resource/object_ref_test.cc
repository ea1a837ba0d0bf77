#include <string_view>

#include <gtest/gtest.h>

#include <goondan/resources.h>

namespace goondan {
namespace {

Result<ObjectRef> parsed(std::string_view json) {
  return ObjectRef::parse(parse_json(json).value());
}

// REQ: RES-2
TEST(ObjectRef, ParsesTextAndMappingBareAndWrapped) {
  const ObjectRef bash{.kind = "Tool", .name = "bash"};
  EXPECT_EQ(*parsed(R"("Tool/bash")"), bash);
  EXPECT_EQ(*parsed(R"({"kind": "Tool", "name": "bash"})"), bash);
  EXPECT_EQ(*parsed(R"({"ref": "Tool/bash"})"), bash);
  EXPECT_EQ(*parsed(R"({"ref": {"kind": "Tool", "name": "bash"}, "config": {}})"), bash);
  EXPECT_EQ(bash.text(), "Tool/bash");
}

TEST(ObjectRef, KeepsPackageAndApiVersion) {
  const ObjectRef ref{.kind = "Tool", .name = "x", .package = "@a/b", .api_version = "v"};
  EXPECT_EQ(*parsed(R"({"kind": "Tool", "name": "x", "package": "@a/b", "apiVersion": "v"})"), ref);
}

TEST(ObjectRef, RefusesEveryOtherForm) {
  for (const std::string_view json :
       {R"("")", R"("Tool")", R"("Tool/")", R"("/bash")", R"("Tool/a/b")", R"("Tool//b")", "5",
        "null", "[]", "{}", R"({"name": "x"})", R"({"kind": "Tool", "name": ""})",
        R"({"kind": 1, "name": "x"})", R"({"kind": "Tool", "name": "x", "package": 1})",
        R"({"ref": null})", R"({"ref": {"ref": "Tool/x"}})"}) {
    const Result<ObjectRef> ref = parsed(json);
    ASSERT_FALSE(ref.ok()) << json;
    EXPECT_EQ(ref.error().code, ErrorCode::ConfigInvalidRef);
  }
}

}  // namespace
}  // namespace goondan
