#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "builtin/json_query/document.h"
#include "builtin/json_query/follow.h"
#include "builtin/json_query/handlers.h"
#include "builtin/json_query/path.h"
#include "builtin/json_query/string_text.h"

namespace goondan::builtin::json_query {
namespace {

struct Counted {
  std::int64_t count = 0;
  std::string_view type = "null";
};

// Counts keys, each once however often it occurs. Sorted by hash first, because comparing texts
// that begin alike is slow, and by text then, because a document can be made to collide.
class DistinctKeys {
 public:
  void add(std::string_view raw) {
    const std::string_view key = has_escapes(raw) ? kept_.emplace_back(unescaped(raw)) : raw;
    keys_.emplace_back(std::hash<std::string_view>()(key), key);
  }

  std::int64_t count() && {
    std::ranges::sort(keys_);
    const auto repeated = std::ranges::unique(keys_);
    return static_cast<std::int64_t>(keys_.size() - repeated.size());
  }

 private:
  std::vector<std::pair<std::size_t, std::string_view>> keys_;
  std::deque<std::string> kept_;  // what the views of keys with escapes are about
};

std::optional<Counted> count_elements(Scanner& scanner) {
  Counted counted{.type = "array"};
  const bool read = scanner.read_array([&scanner, &counted] {
    ++counted.count;
    return scanner.skip_value();
  });
  return read ? std::optional(counted) : std::nullopt;
}

std::optional<Counted> count_keys(Scanner& scanner) {
  DistinctKeys keys;
  const bool read = scanner.read_object([&scanner, &keys](std::string_view key) {
    keys.add(key);
    return scanner.skip_value();
  });
  if (!read) return std::nullopt;
  return Counted{.count = std::move(keys).count(), .type = "object"};
}

std::optional<Counted> count_scalar(Scanner& scanner, Kind kind) {
  const std::optional<std::string_view> text = scanner.read_scalar();
  if (!text) return std::nullopt;
  if (kind == Kind::Null) return Counted{};
  if (kind != Kind::String) {
    return Counted{.count = 1, .type = kind == Kind::Number ? "number" : "boolean"};
  }
  const std::size_t characters = count_characters(text->substr(1, text->size() - 2));
  return Counted{.count = static_cast<std::int64_t>(characters), .type = "string"};
}

// Passes the next value and counts what it holds.
std::optional<Counted> count_value(Scanner& scanner) {
  const std::optional<Kind> kind = scanner.next_kind();
  if (!kind) return std::nullopt;
  if (*kind == Kind::Array) return count_elements(scanner);
  return *kind == Kind::Object ? count_keys(scanner) : count_scalar(scanner, *kind);
}

}  // namespace

Result<Json> count(const Services&, ToolContext&, const JsonObject& input) {
  Scanner scanner = GDN_TRY(open_document(input));
  const std::string path = path_argument(input);
  std::optional<Counted> counted;
  const bool found = GDN_TRY(follow(scanner, parse_path(path), [&scanner, &counted] {
    counted = count_value(scanner);
    return counted.has_value();
  }));
  const Counted result = found ? *counted : Counted{};
  return JsonObject{{"path", path}, {"count", result.count}, {"type", result.type}};
}

}  // namespace goondan::builtin::json_query
