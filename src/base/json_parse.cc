#include <charconv>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include <goondan/json.h>

namespace goondan {
namespace {

// The keys of the objects that are open, to refuse one that is given twice. Sorting at the end of
// an object keeps a hostile object with a million keys cheap.
class OpenKeys {
 public:
  void begin_object() { starts_.push_back(keys_.size()); }
  void append_part(std::string_view part) { partial_ += part; }

  void end_key(std::string_view last_part) {
    keys_.push_back(std::move(partial_) + std::string(last_part));
    partial_.clear();
  }

  // The key that the innermost object holds twice, if any; closes the object.
  std::optional<std::string> end_object() {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(starts_.back());
    starts_.pop_back();
    std::sort(begin, keys_.end());
    const auto twice = std::adjacent_find(begin, keys_.end());
    std::optional<std::string> duplicate;
    if (twice != keys_.end()) duplicate = *twice;
    keys_.erase(begin, keys_.end());
    return duplicate;
  }

 private:
  std::vector<std::string> keys_;
  std::vector<std::size_t> starts_;
  std::string partial_;
};

// Receives Boost.JSON's parse events and builds the value. The names are the library's.
class ValueBuilder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the parser asks for these names
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);
  // NOLINTEND(readability-identifier-naming)

  using error_code = boost::json::error_code;

  ValueBuilder() { stack_.reset(); }

  Json release() { return stack_.release(); }
  [[nodiscard]] const std::optional<std::string>& duplicate_key() const { return duplicate_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }

  bool on_object_begin(error_code&) {
    keys_.begin_object();
    return true;
  }

  bool on_object_end(std::size_t count, error_code& code) {
    duplicate_ = keys_.end_object();
    if (duplicate_) {
      code = boost::json::error::syntax;
      return false;
    }
    stack_.push_object(count);
    return true;
  }

  bool on_array_begin(error_code&) { return true; }

  bool on_array_end(std::size_t count, error_code&) {
    stack_.push_array(count);
    return true;
  }

  bool on_key_part(std::string_view part, std::size_t, error_code&) {
    keys_.append_part(part);
    stack_.push_chars(part);
    return true;
  }

  bool on_key(std::string_view part, std::size_t, error_code&) {
    keys_.end_key(part);
    stack_.push_key(part);
    return true;
  }

  bool on_string_part(std::string_view part, std::size_t, error_code&) {
    stack_.push_chars(part);
    return true;
  }

  bool on_string(std::string_view part, std::size_t, error_code&) {
    stack_.push_string(part);
    return true;
  }

  bool on_number_part(std::string_view, error_code&) { return true; }

  bool on_int64(std::int64_t number, std::string_view, error_code&) {
    stack_.push_int64(number);
    return true;
  }

  bool on_uint64(std::uint64_t number, std::string_view, error_code&) {
    stack_.push_uint64(number);
    return true;
  }

  // Boost's own reading is off in the last digit for a third of all long numbers. The text is whole
  // here, since the parser is given all of it at once.
  bool on_double(double number, std::string_view text, error_code&) {
    std::from_chars(text.data(), text.data() + text.size(), number);
    stack_.push_double(number);
    return true;
  }

  bool on_bool(bool value, error_code&) {
    stack_.push_bool(value);
    return true;
  }

  bool on_null(error_code&) {
    stack_.push_null();
    return true;
  }

  bool on_comment_part(std::string_view, error_code&) { return true; }
  bool on_comment(std::string_view, error_code&) { return true; }

 private:
  boost::json::value_stack stack_;
  OpenKeys keys_;
  std::optional<std::string> duplicate_;
};

// "line 3, column 7", counted in bytes of the line.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " +
         std::to_string(before.size() - line_start + 1);
}

std::string problem(const boost::json::error_code& code, const JsonLimits& limits) {
  using boost::json::error;
  if (code == error::incomplete) return "the text ends in the middle of a value";
  if (code == error::extra_data) return "there is more text after the value";
  if (code == error::too_deep) {
    return "it is nested deeper than " + std::to_string(limits.max_depth) + " levels";
  }
  if (code == error::syntax) return "unexpected character";
  return code.message();
}

Error parse_error(std::string message) {
  return {.code = ErrorCode::JsonParse,
          .message = std::move(message),
          .suggestion = "Send one JSON value, e.g. {\"key\": \"value\"}."};
}

}  // namespace

Result<Json> parse_json(std::string_view text, JsonLimits limits) {
  if (text.size() > limits.max_bytes) {
    return Error{.code = ErrorCode::Limit,
                 .message = "JSON text of " + std::to_string(text.size()) +
                            " bytes is larger than the limit of " +
                            std::to_string(limits.max_bytes) + " bytes",
                 .suggestion = "Send less at a time, or pass a file path instead of its content."};
  }
  boost::json::parse_options options;
  options.max_depth = limits.max_depth;
  boost::json::basic_parser<ValueBuilder> parser(options);
  boost::json::error_code code;
  const std::size_t consumed = parser.write_some(false, text.data(), text.size(), code);
  if (!code && consumed < text.size()) code = boost::json::error::extra_data;
  if (!code) return parser.handler().release();
  if (parser.handler().duplicate_key()) {
    return parse_error("not valid JSON at " + place(text, consumed) + ": duplicate key \"" +
                       *parser.handler().duplicate_key() + "\"");
  }
  return parse_error("not valid JSON at " + place(text, consumed) + ": " + problem(code, limits));
}

}  // namespace goondan
