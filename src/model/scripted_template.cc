#include "model/scripted_template.h"

#include <charconv>

#include "model/scripted_reference.h"
#include "model/scripted_script.h"
#include "resource/source_text.h"

namespace goondan::scripted {
namespace {

const Json* item_of(const JsonArray& items, const std::string& step) {
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size()) return nullptr;
  const auto size = static_cast<std::int64_t>(items.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) return nullptr;
  return &items[static_cast<std::size_t>(index)];
}

const Json* follow(const JsonObject& scope, const Steps& steps) {
  const Json* value = scope.if_contains(steps.front());
  for (std::size_t i = 1; i < steps.size() && value != nullptr; ++i) {
    if (value->is_array()) {
      value = item_of(value->get_array(), steps[i]);
    } else {
      value = value->is_object() ? value->get_object().if_contains(steps[i]) : nullptr;
    }
  }
  return value;
}

Result<const Json*> look_up(const JsonObject& scope, std::string_view reference) {
  const Steps steps = GDN_TRY(parse_reference(reference));
  const Json* value = follow(scope, steps);
  if (value != nullptr) return value;
  return mistake("the reference " + in_backticks(trimmed(reference)) + " names nothing here",
                 "Look at the result that it goes through, e.g. with `gdn run --json`.");
}

std::string plain_text(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_text(value);
}

}  // namespace

Result<void> Expander::spend(std::size_t bytes) {
  spent_ += bytes;
  if (spent_ <= kMaxReplyBytes) return {};
  return mistake("the answer would be larger than " + std::to_string(kMaxReplyBytes) + " bytes",
                 "Refer to a smaller part of the results.");
}

Result<std::string> Expander::text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Cut cut = GDN_TRY(next_cut(text));
    GDN_TRY(spend(cut.before.size()));
    out += cut.before;
    if (!cut.reference) break;
    const std::string value = plain_text(*GDN_TRY(look_up(scope_, *cut.reference)));
    GDN_TRY(spend(value.size()));
    out += value;
  }
  return out;
}

Result<Json> Expander::of_text(std::string_view text) {
  std::string_view rest = text;
  const Cut cut = GDN_TRY(next_cut(rest));
  if (!cut.reference || !cut.before.empty() || !rest.empty()) {
    std::string whole = GDN_TRY(this->text(text));
    return Json(std::move(whole));
  }
  const Json* value = GDN_TRY(look_up(scope_, *cut.reference));
  GDN_TRY(spend(to_text(*value).size()));
  return *value;
}

Result<Json> Expander::value(const Json& value) {
  if (value.is_string()) return of_text(value.get_string());
  if (value.is_array()) {
    JsonArray items;
    for (const Json& item : value.get_array()) {
      items.push_back(GDN_TRY(this->value(item)));
    }
    return items;
  }
  if (!value.is_object()) return value;
  JsonObject members;
  for (const auto& [key, member] : value.get_object()) {
    Json expanded = GDN_TRY(this->value(member));
    members.emplace(key, std::move(expanded));
  }
  return members;
}

}  // namespace goondan::scripted
