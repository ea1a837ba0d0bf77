// Where every subschema is: reads a schema and the documents it refers to, checks that each
// keyword looks as it must, and finds the places that `$ref` names.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "schema/dialect.h"
#include "schema/keyword.h"
#include "schema/name_table.h"
#include "schema/schema.h"

namespace goondan::schema {

using SiteIndex = std::uint32_t;
using ResourceIndex = std::uint32_t;

// One subschema and how it is reached from its parent: `/keyword`, then `/member` or `/index`.
struct Site {
  const Json* schema = nullptr;
  ResourceIndex resource = 0;
  SiteIndex parent = kNone;
  std::string_view keyword = {};  // for the top of a document: its URI
  std::string_view member = {};
  std::uint32_t index = kNone;
  std::uint32_t depth = 0;
  enum class Below : std::uint8_t { Keyword, Member, Index } below = Below::Keyword;
};

// A schema with an address of its own: a document, or a part of one with `$id`.
struct Resource {
  std::string uri;
  SiteIndex root = kNone;
  Dialect dialect;
  std::map<std::string, SiteIndex, std::less<>> anchors = {};  // of both kinds
  std::map<std::string, SiteIndex, std::less<>> dynamic_anchors = {};
};

// A `$dynamicAnchor` that has been read.
struct DynamicAnchor {
  std::string_view name;
  SiteIndex site = kNone;
};

// Confined to one thread and to one compilation; borrows the schema and the options.
class SchemaIndex {
 public:
  explicit SchemaIndex(const SchemaOptions& options) : options_(options) {}

  // Reads the schema to be compiled.
  Result<SiteIndex> add_root(const Json& schema);

  struct Target {
    SiteIndex site = kNone;
    // The name, if the reference names a `$dynamicAnchor` by it.
    std::string_view dynamic_anchor = {};
  };

  // Where `reference`, the value of `keyword` in `from`, leads; reads its document if need be.
  Result<Target> resolve(SiteIndex from, KeywordId keyword, std::string_view reference);

  // The value of a keyword that counts in the dialect of `site`; null if there is none.
  [[nodiscard]] const Json* find(SiteIndex site, KeywordId id) const;
  // The site of a subschema that has been read.
  [[nodiscard]] SiteIndex site_of(const Json& schema) const { return sites_by_schema_.at(&schema); }
  [[nodiscard]] const Site& site(SiteIndex index) const { return sites_[index]; }
  [[nodiscard]] std::size_t resource_count() const { return resources_.size(); }
  // In the order in which they were read.
  [[nodiscard]] const std::vector<DynamicAnchor>& dynamic_anchors() const { return anchors_; }

  // An error about `keyword` of `site`; `below` is a JSON pointer that begins there.
  [[nodiscard]] Error error(SiteIndex site, std::string_view keyword, std::string_view below,
                            std::string_view problem) const;

 private:
  // Reading, in schema_index.cc.
  Result<SiteIndex> add_document(const Json& document, std::string_view uri);
  Result<SiteIndex> add_site(Site site);
  [[nodiscard]] Result<void> check_site(SiteIndex index) const;
  Result<void> read_members(SiteIndex site);
  Result<void> read_member(SiteIndex site, const Keyword& keyword, const Json& value);
  Result<void> read_children(SiteIndex site, const Keyword& keyword, const Json& value);
  Result<void> read_items(Site child, const JsonArray& schemas);
  Result<void> read_members_of(Site child, Shape shape, const JsonObject& schemas);

  // Names and addresses, in schema_identity.cc.
  Result<void> read_identity(SiteIndex site);
  Result<void> read_id(SiteIndex site, std::string_view id);
  Result<void> read_dialect(SiteIndex site);
  Result<void> add_anchor(SiteIndex site, KeywordId keyword, std::string_view name);
  [[nodiscard]] bool is_resource_root(SiteIndex site) const;

  // References, in schema_resolve.cc. `kNone` where nothing is found.
  Result<ResourceIndex> find_resource(const std::string& uri);
  Result<SiteIndex> find_fragment(ResourceIndex resource, const std::string& fragment);
  Result<SiteIndex> find_pointer(ResourceIndex resource, const std::vector<std::string>& steps);
  Result<SiteIndex> add_odd_site(SiteIndex parent, std::string_view below, const Json& schema);

  [[nodiscard]] std::string place(SiteIndex site) const;

  const SchemaOptions& options_;
  std::vector<Site> sites_;
  std::vector<Resource> resources_;
  std::vector<DynamicAnchor> anchors_;
  std::unordered_map<const Json*, SiteIndex> sites_by_schema_;
  std::map<std::string, ResourceIndex, std::less<>> resources_by_uri_;
  std::deque<Json> documents_;     // those that `find_document` returned
  std::deque<std::string> texts_;  // what the string views of sites point to
  std::size_t listed_ = 0;         // names and values in lists so far
};

}  // namespace goondan::schema
