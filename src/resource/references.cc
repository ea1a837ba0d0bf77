#include "resource/references.h"

#include <algorithm>

#include "base/nearest.h"
#include "resource/builtin_names.h"
#include "resource/names.h"

namespace goondan {
namespace {

// More names are no help to a person and cost time.
constexpr std::size_t kMaxCandidates = 1000;

std::string with_article(Kind kind) {
  const std::string name(kind_name(kind));
  return (std::string_view("AEIOU").contains(name.front()) ? "an " : "a ") + name;
}

std::string example(Kind expected, std::string_view name) {
  return "Write " + in_backticks(std::string(kind_name(expected)) + "/" + std::string(name)) + ".";
}

void report_selector(const Place& place, const Place& selector, Kind expected,
                     Diagnostics& diagnostics) {
  const std::optional<Place> name = selector.find("name");
  const std::string shown = name && name->node->is_text() ? name->node->text : "<name>";
  diagnostics.error(
      place.spot(), ErrorCode::ConfigInvalidRef, "selectors are not supported",
      "Name each resource: `- ref: " + std::string(kind_name(expected)) + "/" + shown + "`.");
}

// The value behind `ref:`, or the value itself.
Place unwrapped(const Place& place) {
  const std::optional<Place> inner = place.find("ref");
  return inner ? *inner : place;
}

std::string malformed_suggestion(const Place& place, Kind expected, const Error& error) {
  const bool bare_word = place.node->is_text() && place.node->text.find('/') == std::string::npos;
  return bare_word ? example(expected, place.node->text) : error.suggestion;
}

void report_kind(const Place& place, const ObjectRef& ref, Kind expected,
                 Diagnostics& diagnostics) {
  const std::optional<Kind> kind = find_kind(ref.kind);
  const std::string wanted = "a reference to " + with_article(expected) + " must stand here";
  const bool slip = !kind && nearest_kind(ref.kind) == kind_name(expected);
  diagnostics.error(
      place.spot(), ErrorCode::ConfigInvalidRef,
      wanted + ", and " + in_backticks(ref.text()) + " is none",
      slip ? "Did you mean " + in_backticks(std::string(kind_name(expected)) + "/" + ref.name) + "?"
           : example(expected, "<name>"));
}

bool is_builtin(const ObjectRef& ref) {
  const bool known = (ref.kind == kind_name(Kind::Tool) && is_builtin_tool(ref.name)) ||
                     (ref.kind == kind_name(Kind::Extension) && is_builtin_extension(ref.name));
  return known && (ref.package.empty() || ref.package == kBuiltinPackage);
}

std::vector<std::string_view> candidates(const Reference& reference,
                                         const Declarations& declarations) {
  std::vector<std::string_view> names = declarations.names(reference.expected);
  if (reference.expected == Kind::Tool) {
    names.insert(names.end(), kBuiltinTools.begin(), kBuiltinTools.end());
  }
  if (reference.expected == Kind::Extension) {
    names.insert(names.end(), kBuiltinExtensions.begin(), kBuiltinExtensions.end());
  }
  return names;
}

void report_missing(const Reference& reference, const Declarations& declarations,
                    Diagnostics& diagnostics) {
  if (diagnostics.full(Severity::Error)) return diagnostics.count(Severity::Error);
  const std::string kind(kind_name(reference.expected));
  const std::vector<std::string_view> names = candidates(reference, declarations);
  const std::string_view like = nearest(reference.ref.name, names);
  std::string suggestion = "Declare it, or remove the reference.";
  if (!like.empty())
    suggestion = "Did you mean " + in_backticks(kind + "/" + std::string(like)) + "?";
  diagnostics.error(reference.place.spot(), ErrorCode::ConfigRefNotFound,
                    "the bundle has no " + kind + " named " + in_backticks(reference.ref.name),
                    std::move(suggestion));
}

bool local_package(const std::string& package, const Declarations& declarations) {
  return package.empty() || declarations.contains(Kind::Package, package);
}

}  // namespace

std::optional<ObjectRef> read_reference(const Place& place, Kind expected,
                                        std::vector<Reference>& references,
                                        Diagnostics& diagnostics) {
  if (const std::optional<Place> selector = place.find("selector")) {
    report_selector(place, *selector, expected, diagnostics);
    return std::nullopt;
  }
  const Place target = unwrapped(place);
  // A mapping may hold anything besides; only what a reference is made of is looked at.
  const Result<ObjectRef> ref = ObjectRef::parse(target.node->to_json());
  if (!ref) {
    diagnostics.error(target.spot(), ref.error().code, ref.error().message,
                      malformed_suggestion(target, expected, ref.error()));
    return std::nullopt;
  }
  if (ref->kind != kind_name(expected)) {
    report_kind(target, *ref, expected, diagnostics);
    return std::nullopt;
  }
  references.push_back({.place = target, .ref = *ref, .expected = expected});
  return *ref;
}

void Declarations::add(Kind kind, const std::string& name, const Place& name_place,
                       Diagnostics& diagnostics) {
  const auto [position, added] = places_.try_emplace({kind, name}, name_place);
  if (added) return;
  const Spot first = position->second.spot();
  const auto [line, column] = first.source.locate(first.offset);
  diagnostics.error(name_place.spot(), ErrorCode::ConfigDuplicateName,
                    std::string(kind_name(kind)) + " " + in_backticks(name) +
                        " is already declared in " + first.source.name() + ", line " +
                        std::to_string(line),
                    "Rename or remove one of the two.");
}

bool Declarations::contains(Kind kind, std::string_view name) const {
  return places_.contains({kind, std::string(name)});
}

std::vector<std::string_view> Declarations::names(Kind kind) const {
  std::vector<std::string_view> names;
  for (auto it = places_.lower_bound({kind, std::string()});
       it != places_.end() && it->first.first == kind && names.size() < kMaxCandidates; ++it) {
    names.push_back(it->first.second);
  }
  return names;
}

bool Declarations::any(Kind kind) const {
  return !names(kind).empty();
}

void check_references(const std::vector<Reference>& references, const Declarations& declarations,
                      Diagnostics& diagnostics) {
  for (const Reference& reference : references) {
    const ObjectRef& ref = reference.ref;
    const bool declared = local_package(ref.package, declarations) &&
                          declarations.contains(reference.expected, ref.name);
    if (declared || is_builtin(ref)) continue;
    if (local_package(ref.package, declarations) || ref.package == kBuiltinPackage) {
      report_missing(reference, declarations, diagnostics);
      continue;
    }
    diagnostics.error(reference.place.spot(), ErrorCode::ConfigRefNotFound,
                      "the package " + in_backticks(ref.package) + " is not here",
                      "Packages are not installed by this version: copy what is needed into the "
                      "bundle and leave `package` out.");
  }
}

}  // namespace goondan
