#include "schema/dialect.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "schema/metaschema.h"
#include "schema/uri.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

constexpr std::string_view kVocabularyBase = "https://json-schema.org/draft/2020-12/vocab/";

constexpr auto kVocabularies = std::to_array<std::pair<std::string_view, Vocabulary>>({
    {"core", Vocabulary::Core},
    {"applicator", Vocabulary::Applicator},
    {"unevaluated", Vocabulary::Unevaluated},
    {"validation", Vocabulary::Validation},
    {"meta-data", Vocabulary::MetaData},
    {"format-annotation", Vocabulary::Format},
    {"content", Vocabulary::Content},
});

constexpr std::array<std::string_view, 5> kOlderDrafts{
    "json-schema.org/draft-03/schema", "json-schema.org/draft-04/schema",
    "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema",
    "json-schema.org/draft/2019-09/schema"};

std::optional<Vocabulary> find_vocabulary(std::string_view uri) {
  if (!uri.starts_with(kVocabularyBase)) return std::nullopt;
  uri.remove_prefix(kVocabularyBase.size());
  for (const auto& [name, vocabulary] : kVocabularies) {
    if (name == uri) return vocabulary;
  }
  return std::nullopt;
}

bool is_older_draft(std::string_view uri) {
  return std::ranges::any_of(kOlderDrafts, [uri](std::string_view draft) {
    return uri.ends_with(draft) && uri.starts_with("http");
  });
}

Result<Dialect> dialect_of(const JsonObject& vocabulary_flags) {
  Dialect dialect;
  dialect.vocabularies.reset().set(static_cast<std::size_t>(Vocabulary::Core));
  for (const auto& member : vocabulary_flags) {
    const auto vocabulary = find_vocabulary(member.key());
    if (vocabulary) {
      dialect.vocabularies.set(static_cast<std::size_t>(*vocabulary));
    } else if (member.value().is_bool() && member.value().get_bool()) {
      return Error{.code = ErrorCode::Schema,
                   .message = "the metaschema requires the vocabulary " +
                              short_quoted(member.key()) + ", which is not supported"};
    }
  }
  return dialect;
}

}  // namespace

std::optional<Json> find_document(std::string_view uri, const SchemaOptions& options) {
  if (auto own = find_metaschema(uri)) return own;
  if (!options.find_document || !is_absolute_uri(uri)) return std::nullopt;
  return options.find_document(uri);
}

Result<Dialect> find_dialect(std::string_view metaschema_uri, const SchemaOptions& options) {
  const std::string_view uri = split_fragment(metaschema_uri).uri;
  if (is_older_draft(uri)) return Dialect{.draft = Draft::Older};
  const auto metaschema = find_document(uri, options);
  if (!metaschema || !metaschema->is_object()) return Dialect{};
  const Json* flags = metaschema->get_object().if_contains("$vocabulary");
  if (flags == nullptr || !flags->is_object()) return Dialect{};
  return dialect_of(flags->get_object());
}

}  // namespace goondan::schema
