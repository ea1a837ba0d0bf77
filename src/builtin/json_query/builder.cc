#include "builtin/json_query/builder.h"

#include "builtin/json_query/number.h"
#include "builtin/json_query/string_text.h"

namespace goondan::builtin::json_query {
namespace {

constexpr std::size_t kValuesBetweenLooks = 4'096;  // well below a millisecond

std::string_view between_quotes(std::string_view text) {
  return text.substr(1, text.size() - 2);
}

}  // namespace

Builder::Builder(Scanner& scanner, const ToolContext& context, std::size_t depth)
    : scanner_(scanner), context_(context), depth_(depth) {
  stack_.reset();
}

Json Builder::release() {
  return stack_.release();
}

Error Builder::error() const {
  return error_ ? *error_ : scanner_.error();
}

void Builder::add_array(std::size_t count) {
  stack_.push_array(count);
}

bool Builder::add_value() {
  if (++values_ % kValuesBetweenLooks == 0 && !may_go_on()) return false;
  const std::optional<Kind> kind = scanner_.next_kind();
  if (!kind) return false;
  if (*kind != Kind::Object && *kind != Kind::Array) return add_scalar(*kind);
  if (depth_ == kMaxResultDepth) {
    error_ = Error{.code = ErrorCode::Limit,
                   .message = "the result is nested deeper than " +
                              std::to_string(kMaxResultDepth) + " levels",
                   .suggestion = "Ask for a part of it, with a longer 'path'."};
    return false;
  }
  ++depth_;
  const bool added = add_container(*kind);
  --depth_;
  return added;
}

bool Builder::add_container(Kind kind) {
  std::size_t count = 0;
  if (kind == Kind::Array) {
    const bool read = scanner_.read_array([this, &count] { return ++count, add_value(); });
    if (read) stack_.push_array(count);
    return read;
  }
  const bool read = scanner_.read_object([this, &count](std::string_view key) {
    ++count;
    stack_.push_key(has_escapes(key) ? unescaped(key) : key);
    return add_value();
  });
  if (read) stack_.push_object(count);
  return read;
}

bool Builder::add_scalar(Kind kind) {
  const std::optional<std::string_view> text = scanner_.read_scalar();
  if (!text) return false;
  if (kind == Kind::Null) {
    stack_.push_null();
  } else if (kind == Kind::Boolean) {
    stack_.push_bool(*text == "true");
  } else if (kind == Kind::String) {
    const std::string_view raw = between_quotes(*text);
    stack_.push_string(has_escapes(raw) ? unescaped(raw) : raw);
  } else {
    add_number(*text);
  }
  return true;
}

void Builder::add_number(std::string_view text) {
  const Json number = number_value(text);
  if (number.is_int64()) {
    stack_.push_int64(number.get_int64());
  } else if (number.is_uint64()) {
    stack_.push_uint64(number.get_uint64());
  } else if (number.is_double()) {
    stack_.push_double(number.get_double());
  } else {  // an exact number: an object with one string
    const auto member = number.get_object().begin();
    stack_.push_key(member->key());
    stack_.push_string(member->value().get_string());
    stack_.push_object(1);
  }
}

bool Builder::may_go_on() {
  if (!context_.cancelled() && Clock::now() < context_.deadline()) return true;
  error_ = tool_error("the call was stopped while its result was built");
  return false;
}

Result<Json> build_value(Scanner& scanner, const ToolContext& context, std::size_t depth) {
  Builder builder(scanner, context, depth);
  if (!builder.add_value()) return builder.error();
  return builder.release();
}

}  // namespace goondan::builtin::json_query
