#include "schema/words.h"

#include "base/utf8.h"

namespace goondan::schema {
namespace {

// Appends JSON text and stops soon after the limit, so that a huge value costs nothing.
class ShortWriter {
 public:
  std::string write(const Json& value) {
    append(value);
    return short_plain(out_);
  }

 private:
  [[nodiscard]] bool full() const { return out_.size() > kMaxShownCodePoints * 4; }

  void append(const Json& value) {
    if (full()) return;
    if (value.is_string()) {
      append_quoted(out_, utf8::prefix(value.get_string(), kMaxShownCodePoints + 1));
    } else if (value.is_array()) {
      append_array(value.get_array());
    } else if (value.is_object()) {
      append_object(value.get_object());
    } else {
      append_text(out_, value);
    }
  }

  void append_array(const JsonArray& array) {
    out_ += '[';
    for (const Json& item : array) {
      if (full()) return;
      if (out_.back() != '[') out_ += ',';
      append(item);
    }
    out_ += ']';
  }

  void append_object(const JsonObject& object) {
    out_ += '{';
    for (const auto& member : object) {
      if (full()) return;
      if (out_.back() != '{') out_ += ',';
      append_quoted(out_, utf8::prefix(member.key(), kMaxShownCodePoints + 1));
      out_ += ':';
      append(member.value());
    }
    out_ += '}';
  }

  std::string out_;
};

template <class Item, class Text>
std::string joined(std::span<const Item> items, Text text) {
  std::string out = "[";
  for (std::size_t i = 0; i < items.size() && i < kMaxShownItems; ++i) {
    if (i > 0) out += ", ";
    out += text(items[i]);
  }
  if (items.size() > kMaxShownItems) {
    out += ", ... " + std::to_string(items.size() - kMaxShownItems) + " more";
  }
  return out + "]";
}

}  // namespace

std::string short_plain(std::string_view text) {
  const std::string_view shown = utf8::prefix(text, kMaxShownCodePoints);
  std::string out = utf8::repaired(shown);
  if (shown.size() < text.size()) out += "...";
  return out;
}

std::string short_quoted(std::string_view text) {
  std::string out;
  append_quoted(out, short_plain(text));
  return out;
}

std::string short_text(const Json& value) {
  if (value.is_string()) return short_quoted(value.get_string());
  return ShortWriter().write(value);
}

std::string list_text(std::span<const Json> values) {
  return joined(values, [](const Json& value) { return short_text(value); });
}

std::string list_text(std::span<const std::string_view> names) {
  return joined(names, [](std::string_view name) { return short_quoted(name); });
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  return std::to_string(count) + " " + std::string(count == 1 ? singular : plural);
}

}  // namespace goondan::schema
