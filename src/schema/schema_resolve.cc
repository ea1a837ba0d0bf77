#include <charconv>

#include "schema/schema_index.h"
#include "schema/uri.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

// The item that a step of a JSON pointer names.
const Json* find_item(const JsonArray& array, const std::string& step) {
  std::size_t index = 0;
  const char* end = step.data() + step.size();
  const auto read = std::from_chars(step.data(), end, index);
  const bool number = read.ec == std::errc() && read.ptr == end;
  const bool leading_zero = step.size() > 1 && step.front() == '0';
  return number && !leading_zero && index < array.size() ? &array[index] : nullptr;
}

const Json* find_step(const Json& value, const std::string& step) {
  if (value.is_object()) return value.get_object().if_contains(step);
  if (value.is_array()) return find_item(value.get_array(), step);
  return nullptr;
}

}  // namespace

Result<SchemaIndex::Target> SchemaIndex::resolve(SiteIndex from, KeywordId id,
                                                 std::string_view reference) {
  const auto [uri, escaped_fragment] = split_fragment(reference);
  const std::string_view name = keyword(id).name;
  ResourceIndex resource = sites_[from].resource;
  if (!uri.empty()) {
    resource = GDN_TRY(find_resource(resolve_uri(resources_[resource].uri, uri)));
  }
  if (resource == kNone) {
    return error(from, name, "",
                 "the document of " + short_quoted(reference) +
                     " is not part of the schema, and nothing is fetched");
  }
  // A fragment that cannot be decoded names nothing; no anchor and no pointer begins with `%`.
  const std::string fragment = percent_decoded(escaped_fragment).value_or("%");
  const SiteIndex site = GDN_TRY(find_fragment(resource, fragment));
  if (site == kNone) {
    return error(from, name, "", "there is no schema at " + short_quoted(reference));
  }
  Target target{.site = site};
  const auto& dynamic = resources_[resource].dynamic_anchors;
  const auto anchor = dynamic.find(fragment);
  if (anchor != dynamic.end() && anchor->second == site) target.dynamic_anchor = anchor->first;
  return target;
}

Result<ResourceIndex> SchemaIndex::find_resource(const std::string& uri) {
  const auto known = resources_by_uri_.find(uri);
  if (known != resources_by_uri_.end()) return known->second;
  auto document = find_document(uri, options_);
  if (!document) return ResourceIndex{kNone};
  const SiteIndex root = GDN_TRY(add_document(documents_.emplace_back(std::move(*document)), uri));
  return sites_[root].resource;
}

Result<SiteIndex> SchemaIndex::find_fragment(ResourceIndex resource, const std::string& fragment) {
  if (fragment.empty()) return resources_[resource].root;
  if (fragment.front() == '/') {
    const auto steps = parse_pointer(fragment);
    if (!steps) return SiteIndex{kNone};
    return find_pointer(resource, *steps);
  }
  const auto& anchors = resources_[resource].anchors;
  const auto found = anchors.find(fragment);
  return found == anchors.end() ? SiteIndex{kNone} : found->second;
}

Result<SiteIndex> SchemaIndex::find_pointer(ResourceIndex resource,
                                            const std::vector<std::string>& steps) {
  SiteIndex site = resources_[resource].root;
  const Json* at = sites_[site].schema;
  std::string below;  // the way from `site` to `at`
  for (const std::string& step : steps) {
    at = find_step(*at, step);
    if (at == nullptr) return SiteIndex{kNone};
    append_pointer_step(below, step);
    if (const auto known = sites_by_schema_.find(at); known != sites_by_schema_.end()) {
      site = known->second;
      below.clear();
    }
  }
  if (below.empty()) return site;
  return add_odd_site(site, below, *at);
}

// A schema in a place where no keyword expects one, such as under an unknown keyword.
Result<SiteIndex> SchemaIndex::add_odd_site(SiteIndex parent, std::string_view below,
                                            const Json& schema) {
  const std::string& way = texts_.emplace_back(below.substr(1));
  return add_site({.schema = &schema,
                   .resource = sites_[parent].resource,
                   .parent = parent,
                   .keyword = way,
                   .depth = sites_[parent].depth + 1});
}

}  // namespace goondan::schema
