#include "oauth/secret.h"

#include <ostream>
#include <type_traits>

#include <gtest/gtest.h>

#include <goondan/json.h>

namespace goondan::oauth {
namespace {

template <class T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};

static_assert(!std::is_copy_constructible_v<Secret> && !std::is_copy_assignable_v<Secret>);
static_assert(!std::is_convertible_v<Secret, std::string> &&
              !std::is_convertible_v<Secret, std::string_view> &&
              !std::is_constructible_v<Json, const Secret&>);
static_assert(!Printable<Secret> && Printable<int>);

TEST(SecretTest, KeepsTheTextAndComparesIt) {
  const Secret secret("token");
  EXPECT_EQ(secret.reveal(), "token");
  EXPECT_EQ(secret.size(), 5U);
  EXPECT_TRUE(secret.same_as("token"));
  EXPECT_FALSE(secret.same_as("tokem"));
  EXPECT_FALSE(secret.same_as("toke"));
  EXPECT_TRUE(secret.clone().same_as("token"));
  EXPECT_TRUE(Secret().empty());
  EXPECT_TRUE(Secret("").same_as(""));
}

TEST(SecretTest, TakesTheTextAndWipesWhereItWas) {
  for (const std::size_t size : {std::size_t{3}, std::size_t{200}}) {
    std::string text(size, 's');
    const std::string_view place(text.data(), size);
    const Secret secret = Secret::taken_from(text);
    EXPECT_TRUE(secret.same_as(std::string(size, 's')));
    EXPECT_TRUE(text.empty());
    EXPECT_EQ(place.find('s'), std::string_view::npos);
  }
}

TEST(SecretTest, AMovedFromSecretIsEmpty) {
  Secret first("one");
  Secret second(std::move(first));
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  Secret third("three");
  third = std::move(second);
  EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move): as above
  EXPECT_EQ(third.reveal(), "one");
  third.shorten(2);
  EXPECT_EQ(third.reveal(), "on");
}

}  // namespace
}  // namespace goondan::oauth
