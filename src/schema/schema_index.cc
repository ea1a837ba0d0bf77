#include "schema/schema_index.h"

#include "base/utf8.h"
#include "schema/shape.h"
#include "schema/uri.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

// Names in `required` and `properties`, values in `enum`: what else can be large in a schema.
constexpr std::size_t kMaxListed = 100'000;
constexpr std::size_t kMaxPlaceCodePoints = 300;

std::size_t listed_in(const Keyword& keyword, const Json& value) {
  if (keyword.shape == Shape::Schema || keyword.shape == Shape::Anything) return 0;
  if (value.is_array()) return value.get_array().size();
  if (value.is_object()) return value.get_object().size();
  return 0;
}

// `keyword` as `draft` knows it.
Keyword in_draft(Keyword keyword, Draft draft, const Json& value) {
  if (draft == Draft::Current) return keyword;
  if (keyword.id == KeywordId::Id) keyword.shape = Shape::Text;
  if (keyword.id == KeywordId::AdditionalItems) keyword.shape = Shape::Schema;
  if (keyword.id == KeywordId::Items && value.is_array()) keyword.shape = Shape::Schemas;
  return keyword;
}

}  // namespace

Result<SiteIndex> SchemaIndex::add_root(const Json& schema) {
  return add_document(schema, "");
}

Result<SiteIndex> SchemaIndex::add_document(const Json& document, std::string_view uri) {
  const std::string& kept_uri = texts_.emplace_back(uri);
  const auto resource = static_cast<ResourceIndex>(resources_.size());
  const auto root = static_cast<SiteIndex>(sites_.size());
  resources_.push_back({.uri = kept_uri, .root = root, .dialect = {}});
  resources_by_uri_.try_emplace(kept_uri, resource);
  return add_site({.schema = &document, .resource = resource, .keyword = kept_uri});
}

Result<SiteIndex> SchemaIndex::add_site(Site site) {
  const auto index = static_cast<SiteIndex>(sites_.size());
  sites_.push_back(site);
  GDN_TRY(check_site(index));
  sites_by_schema_.emplace(site.schema, index);
  if (site.schema->is_object()) {
    GDN_TRY(read_identity(index));
    GDN_TRY(read_members(index));
  }
  return index;
}

Result<void> SchemaIndex::check_site(SiteIndex index) const {
  const Site& site = sites_[index];
  const SchemaLimits& limits = options_.limits;
  if (sites_.size() > limits.max_nodes) {
    return error(index, "", "",
                 "there are more than " + std::to_string(limits.max_nodes) + " subschemas");
  }
  if (site.depth >= limits.max_depth) {
    return error(index, "", "",
                 "it is nested deeper than " + std::to_string(limits.max_depth) + " levels");
  }
  if (site.schema->is_object() || site.schema->is_bool()) return {};
  Error failure =
      error(index, "", "", "must be a schema (an object or a boolean)" + but_is(*site.schema));
  if (site.keyword == keyword(KeywordId::Items).name && site.schema->is_array()) {
    failure.suggestion = "Use \"prefixItems\" for a list of schemas.";
  }
  return failure;
}

Result<void> SchemaIndex::read_members(SiteIndex site) {
  const Dialect dialect = resources_[sites_[site].resource].dialect;
  for (const auto& member : sites_[site].schema->get_object()) {
    const Keyword* found = find_keyword(member.key());
    if (found == nullptr) continue;
    if (!dialect.vocabularies.test(static_cast<std::size_t>(found->vocabulary))) continue;
    GDN_TRY(read_member(site, in_draft(*found, dialect.draft, member.value()), member.value()));
  }
  return {};
}

Result<void> SchemaIndex::read_member(SiteIndex site, const Keyword& keyword, const Json& value) {
  if (auto problem = find_shape_problem(keyword, value)) {
    Error failure = error(site, keyword.name, problem->place, problem->message);
    failure.suggestion = std::move(problem->suggestion);
    return failure;
  }
  listed_ += listed_in(keyword, value);
  if (listed_ > kMaxListed) {
    return error(site, keyword.name, "",
                 "the schema lists more than " + std::to_string(kMaxListed) + " names and values");
  }
  return read_children(site, keyword, value);
}

Result<void> SchemaIndex::read_children(SiteIndex site, const Keyword& keyword, const Json& value) {
  const Site child{.schema = &value,
                   .resource = sites_[site].resource,
                   .parent = site,
                   .keyword = keyword.name,
                   .depth = sites_[site].depth + 1};
  if (keyword.shape == Shape::Schema) GDN_TRY(add_site(child));
  if (keyword.shape == Shape::Schemas) return read_items(child, value.get_array());
  if (keyword.shape == Shape::SchemasByName || keyword.shape == Shape::SchemaOrNamesByName) {
    return read_members_of(child, keyword.shape, value.get_object());
  }
  return {};
}

Result<void> SchemaIndex::read_items(Site child, const JsonArray& schemas) {
  child.below = Site::Below::Index;
  for (child.index = 0; child.index < schemas.size(); ++child.index) {
    child.schema = &schemas[child.index];
    GDN_TRY(add_site(child));
  }
  return {};
}

Result<void> SchemaIndex::read_members_of(Site child, Shape shape, const JsonObject& schemas) {
  child.below = Site::Below::Member;
  for (const auto& member : schemas) {
    if (shape == Shape::SchemaOrNamesByName && member.value().is_array()) continue;
    child.member = member.key();
    child.schema = &member.value();
    GDN_TRY(add_site(child));
  }
  return {};
}

const Json* SchemaIndex::find(SiteIndex site, KeywordId id) const {
  const Keyword& wanted = keyword(id);
  const Dialect& dialect = resources_[sites_[site].resource].dialect;
  if (!dialect.vocabularies.test(static_cast<std::size_t>(wanted.vocabulary))) return nullptr;
  return sites_[site].schema->get_object().if_contains(wanted.name);
}

std::string SchemaIndex::place(SiteIndex index) const {
  const Site& site = sites_[index];
  if (site.parent == kNone) return site.keyword.empty() ? "" : std::string(site.keyword) + "#";
  std::string out = place(site.parent);
  out.append("/").append(site.keyword);
  if (site.below == Site::Below::Index) out += "/" + std::to_string(site.index);
  if (site.below == Site::Below::Member) append_pointer_step(out, site.member);
  return out;
}

Error SchemaIndex::error(SiteIndex site, std::string_view keyword, std::string_view below,
                         std::string_view problem) const {
  std::string where = place(site);
  if (!keyword.empty()) where.append("/").append(keyword);
  where += below;
  const std::string_view shown = utf8::prefix(where, kMaxPlaceCodePoints);
  std::string message = "the schema is not valid";
  if (!shown.empty()) message += " at " + utf8::repaired(shown);
  if (shown.size() < where.size()) message += "...";
  return {.code = ErrorCode::Schema, .message = message.append(": ").append(problem)};
}

}  // namespace goondan::schema
