#include "host/native/plugin_json.h"

#include <gtest/gtest.h>

namespace goondan {
namespace {

TEST(PluginJson, ErrorsComeBackAsTheyWere) {
  const Error errors[] = {
      tool_error("no"),
      {.code = ErrorCode::NotFound, .message = "gone", .suggestion = "look elsewhere"},
      {.code = ErrorCode::Tool,
       .message = "m",
       .help_url = "https://example.com",
       .custom_code = "E_OWN",
       .custom_name = "OwnError"},
  };
  for (const Error& error : errors)
    EXPECT_EQ(error_from_json(error_to_json(error)), error);
}

TEST(PluginJson, AnErrorNeedsAMessageAndNothingElse) {
  EXPECT_EQ(error_from_json(JsonObject{{"message", "m"}}), tool_error("m"));
  EXPECT_EQ(error_from_json(JsonObject{{"message", "m"}, {"code", 7}, {"name", nullptr}}),
            tool_error("m"));
  EXPECT_FALSE(error_from_json(JsonObject{{"code", "E_X"}}).has_value());
  EXPECT_FALSE(error_from_json(JsonObject{{"message", 1}}).has_value());
  EXPECT_FALSE(error_from_json("message").has_value());
  EXPECT_FALSE(error_from_json(nullptr).has_value());
}

TEST(PluginJson, CutsWhatIsFarTooLong) {
  const auto error = error_from_json(JsonObject{{"message", "m"},
                                                {"code", std::string(5000, 'C')},
                                                {"suggestion", std::string(50'000, 's')}});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->custom_code.size(), 200u);
  EXPECT_EQ(error->suggestion.size(), 2000u);
}

}  // namespace
}  // namespace goondan
