#include "resource/names.h"

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "base/utf8.h"
#include "resource/limits.h"

namespace goondan {
namespace {

constexpr std::array<std::string_view, 9> kKindNames{"Package",   "Model",      "Agent",
                                                     "Swarm",     "Tool",       "Extension",
                                                     "Connector", "Connection", "OAuthApp"};

enum class Dots { No, Yes };

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool allowed(char c, Dots dots) {
  return (c >= 'a' && c <= 'z') || is_upper(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         (c == '.' && dots == Dots::Yes);
}

std::string allowed_text(Dots dots) {
  return dots == Dots::Yes ? "Use letters, digits, `_`, `-` and `.`."
                           : "Use letters, digits, `_` and `-`.";
}

// Reports the first character that a name may not hold. A dot may not come first: names become
// folder names.
bool check_characters(const Place& place, std::string_view words, Dots dots,
                      Diagnostics& diagnostics) {
  const auto bad = words.starts_with('.')
                       ? words.begin()
                       : std::ranges::find_if(words, [dots](char c) { return !allowed(c, dots); });
  if (bad == words.end()) return true;
  const std::string_view rest = words.substr(static_cast<std::size_t>(bad - words.begin()));
  const std::string_view problem =
      words.starts_with('.') ? " at its start, which names may not" : ", which names may not";
  diagnostics.error(place.spot(), ErrorCode::ConfigInvalidName,
                    "the name " + in_backticks(place.node->text) + " holds " +
                        in_backticks(utf8::prefix(rest, 1)) + std::string(problem),
                    allowed_text(dots));
  return false;
}

bool check_not_blank(const Place& place, std::string_view name, Diagnostics& diagnostics) {
  if (name.find_first_not_of(" \t\r\n") != std::string_view::npos) return true;
  diagnostics.error(place.spot(), ErrorCode::ConfigInvalidName, "the name is empty",
                    "Give it a name, for example `my-tool`.");
  return false;
}

void check_separator(const Place& place, std::string_view name, Diagnostics& diagnostics) {
  if (name.find("__") == std::string_view::npos) return;
  diagnostics.error(place.spot(), ErrorCode::ConfigSchemaInvalid,
                    "the name " + in_backticks(name) +
                        " holds `__`, which separates the names of a tool and its export",
                    "Use a single `_` or a `-`.");
}

// `a_` with the export `b` would be seen as `a___b`, which reads as `a` with the export `_b`.
void check_end(const Place& place, std::string_view name, Diagnostics& diagnostics) {
  if (!name.ends_with('_') || name.ends_with("__")) return;
  diagnostics.error(place.spot(), ErrorCode::ConfigInvalidName,
                    "the tool's name " + in_backticks(name) + " ends in `_`",
                    "Drop the last `_`: the name could not be told from its exports'.");
}

void check_style(const Place& place, std::string_view name, Diagnostics& diagnostics) {
  if (std::ranges::none_of(name, is_upper)) return;
  diagnostics.warning(place.spot(), ErrorCode::ConfigNameStyle,
                      "the name " + in_backticks(name) + " has upper-case letters",
                      "Lower case is what models and other programs expect.");
}

void check_length(const Place& place, std::string_view name, Diagnostics& diagnostics) {
  const std::size_t length = utf8::length(name);
  if (length <= kMaxName) return;
  diagnostics.error(place.spot(), ErrorCode::ConfigNameTooLong,
                    "the name " + in_backticks(name) + " has " + std::to_string(length) +
                        " characters; " + std::to_string(kMaxName) + " are allowed",
                    "Shorten it.");
}

// `@scope/name` without its punctuation, so that the parts can be checked like any name.
std::string package_words(std::string_view name) {
  std::string words(name);
  if (!name.starts_with('@')) return words;
  words.erase(0, 1);
  const std::size_t slash = words.find('/');
  const bool scoped = slash != std::string::npos && slash > 0 && slash + 1 < words.size();
  if (scoped) words.erase(slash, 1);
  return scoped ? words : std::string(name);
}

}  // namespace

std::string_view kind_name(Kind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<Kind> find_kind(std::string_view name) {
  const auto found = std::ranges::find(kKindNames, name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<Kind>(found - kKindNames.begin());
}

std::string_view nearest_kind(std::string_view name) {
  return nearest(name, kKindNames);
}

void check_resource_name(const Place& place, const ResourceMeta& meta, Diagnostics& diagnostics) {
  if (!check_not_blank(place, meta.name, diagnostics)) return;
  check_length(place, meta.name, diagnostics);
  const bool tool = meta.kind == Kind::Tool;
  const Dots dots = tool && meta.dialect == Dialect::V1 ? Dots::No : Dots::Yes;
  const std::string words =
      meta.kind == Kind::Package ? package_words(meta.name) : std::string(meta.name);
  if (!check_characters(place, words, dots, diagnostics) || !tool) return;
  if (meta.dialect == Dialect::V1) {
    check_separator(place, meta.name, diagnostics);
    check_end(place, meta.name, diagnostics);
  }
  check_style(place, meta.name, diagnostics);
}

void check_export_name(const Place& place, std::string_view name, Dialect dialect,
                       Diagnostics& diagnostics) {
  if (!check_not_blank(place, name, diagnostics)) return;
  const Dots dots = dialect == Dialect::V1Alpha1 ? Dots::Yes : Dots::No;
  if (!check_characters(place, name, dots, diagnostics)) return;
  if (dialect == Dialect::V1) check_separator(place, name, diagnostics);
  check_style(place, name, diagnostics);
}

void check_visible_name(const Place& place, std::string_view visible_name,
                        Diagnostics& diagnostics) {
  const std::size_t length = utf8::length(visible_name);
  if (length <= kMaxVisibleName) return;
  diagnostics.error(place.spot(), ErrorCode::ConfigNameTooLong,
                    "models would see this export as " + in_backticks(visible_name) + ", " +
                        std::to_string(length) + " characters; they accept " +
                        std::to_string(kMaxVisibleName),
                    "Shorten the name of the tool or of the export.");
}

}  // namespace goondan
