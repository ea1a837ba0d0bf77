// The shared cases about bundles, references and value sources.
#include "support/vectors.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <goondan/bundle.h>

#include "resource/test_folder.h"

namespace goondan {
namespace {

Json failure(const Error& error) {
  return JsonObject{{"status", "error"},
                    {"error", JsonObject{{"code", error.code_text()}, {"message", error.message}}}};
}

Json validate(const Json& vector) {
  const test::TestFolder folder;
  folder.write("goondan.yaml", vector.at("input").at("yaml").as_string());
  if (const Json* setup = vector.as_object().if_contains("setup")) {
    for (const auto& file : setup->at("files").as_object()) {
      folder.write(std::string(file.key()), file.value().as_string());
    }
  }
  const BundleReport report = Bundle::check(folder.path());
  JsonArray codes;
  for (const Diagnostic& diagnostic : report.diagnostics)
    codes.push_back(Json(wire_code(diagnostic.code)));
  return JsonObject{{"status", "ok"},
                    {"output", JsonObject{{"valid", report.ok()}, {"codes", std::move(codes)}}}};
}

Json parse_ref(const Json& vector) {
  const Result<ObjectRef> ref = ObjectRef::parse(vector.at("input").at("ref"));
  if (!ref) return failure(ref.error());
  JsonObject output{{"kind", ref->kind}, {"name", ref->name}};
  if (!ref->package.empty()) output["package"] = ref->package;
  return JsonObject{{"status", "ok"}, {"output", std::move(output)}};
}

Json resolve_value(const Json& vector) {
  const JsonObject& input = vector.at("input").as_object();
  const Result<ValueSource> source = ValueSource::parse(input.at("source"));
  if (!source) return failure(source.error());
  ValueSource::Environment environment;
  if (const Json* env = input.if_contains("env")) {
    for (const auto& variable : env->as_object())
      environment.emplace(variable.key(), variable.value().as_string());
  }
  const Json* required = input.if_contains("required");
  const bool optional = required != nullptr && !required->as_bool();
  const Result<std::optional<std::string>> value = source->resolve(
      environment, optional ? ValueSource::Required::No : ValueSource::Required::Yes);
  if (!value) return failure(value.error());
  Json text = nullptr;
  if (*value) text = Json(**value);
  return JsonObject{{"status", "ok"}, {"output", JsonObject{{"value", std::move(text)}}}};
}

Json answer(const Json& vector) {
  const std::string_view tool = vector.at("tool").as_string();
  if (tool == "@resource.validate") return validate(vector);
  if (tool == "@objectRef.parse") return parse_ref(vector);
  return resolve_value(vector);
}

// REQ: RES-1 RES-4 RES-5 RES-6 RES-7
TEST(ResourceVectors, AllHold) {
  const std::vector<Json> vectors = testing::load_vectors("resource.jsonl");
  ASSERT_EQ(vectors.size(), 33);
  for (const Json& vector : vectors) {
    EXPECT_EQ(testing::unexpected(vector.at("expect"), answer(vector)), "")
        << vector.at("id").as_string();
  }
}

}  // namespace
}  // namespace goondan
