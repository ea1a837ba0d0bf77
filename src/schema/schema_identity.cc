#include "schema/schema_index.h"
#include "schema/uri.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

// The value of a keyword that must be a string; others are complained about when it is read.
const JsonString* find_text(const Json& schema, KeywordId id) {
  const Json* value = schema.get_object().if_contains(keyword(id).name);
  return value == nullptr ? nullptr : value->if_string();
}

}  // namespace

Result<void> SchemaIndex::read_identity(SiteIndex site) {
  const Json& schema = *sites_[site].schema;
  if (const JsonString* id = find_text(schema, KeywordId::Id)) GDN_TRY(read_id(site, *id));
  if (is_resource_root(site)) GDN_TRY(read_dialect(site));
  if (const JsonString* name = find_text(schema, KeywordId::Anchor)) {
    GDN_TRY(add_anchor(site, KeywordId::Anchor, *name));
  }
  if (const JsonString* name = find_text(schema, KeywordId::DynamicAnchor)) {
    GDN_TRY(add_anchor(site, KeywordId::DynamicAnchor, *name));
  }
  return {};
}

bool SchemaIndex::is_resource_root(SiteIndex site) const {
  return resources_[sites_[site].resource].root == site;
}

Result<void> SchemaIndex::read_id(SiteIndex site, std::string_view id) {
  const ResourceIndex outer = sites_[site].resource;
  const auto [reference, fragment] = split_fragment(id);
  if (!fragment.empty() && reference.empty() && resources_[outer].dialect.draft == Draft::Older) {
    return add_anchor(site, KeywordId::Anchor, fragment);
  }
  if (reference.empty()) return {};
  std::string uri = resolve_uri(resources_[outer].uri, reference);
  if (is_resource_root(site)) {
    resources_by_uri_.try_emplace(uri, outer);
    resources_[outer].uri = std::move(uri);
    return {};
  }
  const auto inner = static_cast<ResourceIndex>(resources_.size());
  if (!resources_by_uri_.try_emplace(uri, inner).second) {
    return error(site, keyword(KeywordId::Id).name, "",
                 "another schema is already named " + short_quoted(uri));
  }
  resources_.push_back({.uri = std::move(uri), .root = site, .dialect = resources_[outer].dialect});
  sites_[site].resource = inner;
  return {};
}

Result<void> SchemaIndex::read_dialect(SiteIndex site) {
  const JsonString* metaschema = find_text(*sites_[site].schema, KeywordId::Schema);
  if (metaschema == nullptr) return {};
  auto dialect = find_dialect(*metaschema, options_);
  if (!dialect.ok()) {
    return error(site, keyword(KeywordId::Schema).name, "", dialect.error().message);
  }
  resources_[sites_[site].resource].dialect = *dialect;
  return {};
}

Result<void> SchemaIndex::add_anchor(SiteIndex site, KeywordId id, std::string_view name) {
  Resource& resource = resources_[sites_[site].resource];
  const auto [anchor, added] = resource.anchors.try_emplace(std::string(name), site);
  if (!added && anchor->second != site) {
    return error(site, keyword(id).name, "",
                 "another schema already has the anchor " + short_quoted(name));
  }
  if (id == KeywordId::DynamicAnchor) {
    resource.dynamic_anchors.try_emplace(std::string(name), site);
    anchors_.push_back({.name = anchor->first, .site = site});
  }
  return {};
}

}  // namespace goondan::schema
