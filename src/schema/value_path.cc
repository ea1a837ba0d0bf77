#include "schema/value_path.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/utf8.h"
#include "schema/words.h"

namespace goondan::schema {
namespace {

// Whether `key` reads well after a dot. Letters of all scripts do.
bool is_identifier(std::string_view key) {
  if (key.empty() || std::isdigit(static_cast<unsigned char>(key.front())) != 0) return false;
  return utf8::valid(key) && std::ranges::all_of(key, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '$' || c >= 0x80;
         });
}

void append_step(std::string& out, const ValuePath& step) {
  switch (step.kind) {
    case ValuePath::Kind::Root:
      out += step.key;
      return;
    case ValuePath::Kind::Item:
      out += "[" + std::to_string(step.index) + "]";
      return;
    case ValuePath::Kind::Member:
      break;
  }
  if (is_identifier(step.key)) {
    out += "." + short_plain(step.key);
  } else {
    out += "[" + short_quoted(step.key) + "]";
  }
}

}  // namespace

std::string ValuePath::text() const {
  std::vector<const ValuePath*> steps;
  for (const ValuePath* step = this; step != nullptr; step = step->outer)
    steps.push_back(step);
  std::string out;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    append_step(out, **step);
  const std::string_view shown = utf8::prefix(out, kMaxPathCodePoints);
  if (shown.size() < out.size()) out = std::string(shown) + "...";
  return out;
}

}  // namespace goondan::schema
