#include "base/redactor_mask.h"

#include <vector>

#include "base/redactor_writer.h"
#include "base/secret_patterns.h"

namespace goondan {
namespace {

std::string with_masks(std::string_view text, const std::vector<SecretScanner::Hit>& hits) {
  std::string out;
  out.reserve(text.size());
  MaskWriter().write(out, text, hits, text.size());
  return out;
}

// The masked text, if there is anything to mask.
std::optional<std::string> masked(const SecretScanner& scanner, std::string_view text) {
  const SecretScanner::Findings findings = scanner.scan(text, 0, TextEnd::Final);
  if (findings.hits.empty()) return std::nullopt;
  return with_masks(text, findings.hits);
}

void mask_string(const SecretScanner& scanner, JsonString& text) {
  if (const std::optional<std::string> out = masked(scanner, text)) text = *out;
}

// Two keys may become the same; members are kept, not dropped.
std::string unused_key(const JsonObject& object, std::string key) {
  const std::size_t size = key.size();
  for (int number = 2; object.contains(key); ++number)
    key.replace(size, key.npos, " " + std::to_string(number));
  return key;
}

void mask_keys(const SecretScanner& scanner, JsonObject& object) {
  const auto has_secret = [&](const auto& member) { return scanner.finds_in(member.key()); };
  if (std::ranges::none_of(object, has_secret)) return;
  JsonObject renamed(object.storage());
  renamed.reserve(object.size());
  for (auto& member : object) {
    std::string key = masked(scanner, member.key()).value_or(std::string(member.key()));
    renamed.emplace(unused_key(renamed, std::move(key)), std::move(member.value()));
  }
  object = std::move(renamed);
}

// A field's name says what its value alone may not show.
void mask_named(std::string_view key, Json& value) {
  JsonString* text = value.if_string();
  if (text == nullptr) return;
  const TextRange range = secret_in_field(key, *text);
  if (range.begin < range.end) text->replace(range.begin, range.end - range.begin, kRedacted);
}

}  // namespace

void mask_in(const SecretScanner& scanner, std::string& text) {
  if (std::optional<std::string> out = masked(scanner, text)) text = *std::move(out);
}

void mask_in_cut(const SecretScanner& scanner, std::string& text, CutSide side) {
  std::vector<SecretScanner::Hit> hits = scanner.scan(text, 0, TextEnd::Final).hits;
  const TextRange part = scanner.part_at_cut(text, side);
  const SecretScanner::Hit hit{.anchor = part.begin, .range = part};
  if (part.begin < part.end) {
    const auto place = std::ranges::upper_bound(
        hits, part.begin, {}, [](const SecretScanner::Hit& other) { return other.range.begin; });
    hits.insert(place, hit);
  }
  if (!hits.empty()) text = with_masks(text, hits);
}

void mask_in(const SecretScanner& scanner, Json& value) {
  std::vector<Json*> open;  // not recursion: a value may be nested deeper than a stack
  const auto visit = [&](Json& child) {
    if (child.is_string()) return mask_string(scanner, child.get_string());
    if (child.is_structured()) open.push_back(&child);
  };
  visit(value);
  while (!open.empty()) {
    Json& parent = *open.back();
    open.pop_back();
    if (JsonArray* array = parent.if_array()) {
      for (Json& element : *array)
        visit(element);
      continue;
    }
    mask_keys(scanner, parent.get_object());
    for (auto& member : parent.get_object()) {
      mask_named(member.key(), member.value());
      visit(member.value());
    }
  }
}

}  // namespace goondan
