#include "schema/keyword.h"

#include <algorithm>
#include <array>

namespace goondan::schema {
namespace {

constexpr auto kKeywords = std::to_array<Keyword>({
#define GDN_ROW(id, name, vocabulary, shape) \
  {KeywordId::id, name, Vocabulary::vocabulary, Shape::shape},
    GDN_SCHEMA_KEYWORDS(GDN_ROW)
#undef GDN_ROW
});

constexpr auto kSorted = [] {
  auto keywords = kKeywords;
  std::ranges::sort(keywords, {}, &Keyword::name);
  return keywords;
}();

}  // namespace

const Keyword* find_keyword(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kSorted, name, {}, &Keyword::name);
  return found != kSorted.end() && found->name == name ? found : nullptr;
}

const Keyword& keyword(KeywordId id) {
  return kKeywords[static_cast<std::size_t>(id)];
}

}  // namespace goondan::schema
