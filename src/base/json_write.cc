#include <array>
#include <charconv>
#include <cmath>

#include <goondan/json.h>

#include "base/number_text.h"
#include "base/utf8.h"

namespace goondan {
namespace {

void append_escape(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[byte >> 4];
  out += kHex[byte & 0xF];
}

// U+0080 to U+009F: a terminal may take them for commands.
bool is_c1_control(std::string_view text) {
  return text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0;
}

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  out.append(buffer.data(), end);
}

constexpr std::string_view kExactNumberKey{"\0number", 7};

std::size_t digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9')
    ++count;
  return count;
}

// Whether `text` is a number by JSON's grammar, all of it. What is written bare must be: anything
// else could end the number and begin something of its own.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t whole = digits(text);
  if (whole == 0 || (whole > 1 && text.front() == '0')) return false;
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const std::size_t fraction = digits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && digits(text) == text.size();
}

// The text of a value that `exact_number` made; empty for every other object.
std::string_view exact_number_text(const JsonObject& object) {
  if (object.size() != 1 || !object.begin()->key().starts_with('\0')) return {};
  const Json& value = object.begin()->value();
  if (object.begin()->key() != kExactNumberKey || !value.is_string()) return {};
  const std::string_view text = value.get_string();
  return is_json_number(text) ? text : std::string_view();
}

// Writes a value compactly (`indent` 0) or over several lines.
class Writer {
 public:
  Writer(std::string& out, std::size_t indent) : out_(out), indent_(indent) {}

  void value(const Json& value) {
    switch (value.kind()) {
      case boost::json::kind::null:
        out_ += "null";
        return;
      case boost::json::kind::bool_:
        out_ += value.get_bool() ? "true" : "false";
        return;
      case boost::json::kind::int64:
        append_number(out_, value.get_int64());
        return;
      case boost::json::kind::uint64:
        append_number(out_, value.get_uint64());
        return;
      case boost::json::kind::double_:
        number(value.get_double());
        return;
      case boost::json::kind::string:
        append_quoted(out_, value.get_string());
        return;
      case boost::json::kind::array:
        array(value.get_array());
        return;
      case boost::json::kind::object:
        object(value.get_object());
        return;
    }
  }

 private:
  void number(double number) {
    if (!std::isfinite(number)) {
      out_ += "null";
      return;
    }
    constexpr double kAllIntegersExact = 9007199254740992;  // 2 to the 53rd
    const std::size_t before = out_.size();
    append_number(out_, number);
    const bool exponent = out_.find('e', before) != std::string::npos;
    if (!exponent && std::abs(number) < kAllIntegersExact) return;
    // `to_chars` would write 1e+05 for 100000.0, and digits that mean nothing for large numbers.
    out_.resize(before);
    append_number_text(out_, number);
  }

  void array(const JsonArray& array) {
    if (array.empty()) {
      out_ += "[]";
      return;
    }
    open('[');
    for (std::size_t i = 0; i < array.size(); ++i) {
      item(i);
      value(array[i]);
    }
    close(']');
  }

  void object(const JsonObject& object) {
    if (object.empty()) {
      out_ += "{}";
      return;
    }
    if (const std::string_view number = exact_number_text(object); !number.empty()) {
      out_ += number;
      return;
    }
    open('{');
    std::size_t i = 0;
    for (const auto& [key, member] : object) {
      item(i++);
      append_quoted(out_, key);
      out_ += indent_ == 0 ? ":" : ": ";
      value(member);
    }
    close('}');
  }

  void open(char bracket) {
    out_ += bracket;
    ++level_;
  }

  void item(std::size_t index) {
    if (index > 0) out_ += ',';
    new_line();
  }

  void close(char bracket) {
    --level_;
    new_line();
    out_ += bracket;
  }

  void new_line() {
    if (indent_ == 0) return;
    out_ += '\n';
    out_.append(level_ * indent_, ' ');
  }

  std::string& out_;
  std::size_t indent_;
  std::size_t level_ = 0;
};

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && text[plain] >= 0x20 && text[plain] != '"' &&
           text[plain] != '\\' && text[plain] != 0x7F) {
      ++plain;
    }
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t step = utf8::sequence_length(text);
    if (step == 2 && is_c1_control(text)) {
      append_escape(out, text[1]);
    } else if (step > 1) {
      out += text.substr(0, step);
    } else if (step == 0) {
      out += "\uFFFD";
    } else {
      append_escape(out, text.front());
    }
    text.remove_prefix(std::max<std::size_t>(step, 1));
  }
  out += '"';
}

Json exact_number(std::string_view text) {
  if (!is_json_number(text)) return nullptr;
  return JsonObject{{kExactNumberKey, text}};
}

void append_text(std::string& out, const Json& value) {
  Writer(out, 0).value(value);
}

std::string to_text(const Json& value) {
  std::string out;
  append_text(out, value);
  return out;
}

std::string to_pretty_text(const Json& value) {
  std::string out;
  Writer(out, 2).value(value);
  return out;
}

}  // namespace goondan
