#include "builtin/json_query/scanner.h"

#include <bitset>

#include "builtin/json_query/scan_error.h"

namespace goondan::builtin::json_query {

// The containers that are open while a value is skipped: of each, whether it is an object.
class Scanner::OpenContainers {
 public:
  [[nodiscard]] std::size_t depth() const { return depth_; }
  [[nodiscard]] bool in_object() const { return in_object_; }
  [[nodiscard]] char close() const { return in_object_ ? '}' : ']'; }

  void push(char open) {
    objects_[depth_++] = in_object_;
    in_object_ = open == '{';
  }

  void pop() { in_object_ = objects_[--depth_]; }

 private:
  std::bitset<kMaxDepth> objects_;
  std::size_t depth_ = 0;
  bool in_object_ = false;
};

Scanner::Scanner(const JsonString& document) : lexer_(document), at_(lexer_.begin()) {}

std::size_t Scanner::position() const {
  return static_cast<std::size_t>(at_ - lexer_.begin());
}

void Scanner::seek(std::size_t position) {
  at_ = lexer_.begin() + position;
  depth_ = 0;
}

Error Scanner::error() const {
  const auto failed_at = static_cast<std::size_t>(lexer_.failed_at() - lexer_.begin());
  return scan_error({lexer_.begin(), lexer_.end()}, failed_at, lexer_.problem());
}

bool Scanner::refuse(const char* p, Problem problem) {
  lexer_.fail(p, problem);
  return false;
}

std::optional<Kind> Scanner::next_kind() {
  at_ = Lexer::pass_space(at_);
  switch (*at_) {
    case '{':
      return Kind::Object;
    case '[':
      return Kind::Array;
    case '"':
      return Kind::String;
    case 't':
    case 'f':
      return Kind::Boolean;
    case 'n':
      return Kind::Null;
    default:
      break;
  }
  if (Lexer::begins_number(*at_)) return Kind::Number;
  lexer_.fail(at_, Problem::NoValue);
  return std::nullopt;
}

bool Scanner::skip_value() {
  at_ = Lexer::pass_space(at_);
  if (*at_ == '{' || *at_ == '[') return skip_container();
  const char* p = lexer_.pass_scalar(at_);
  if (p == nullptr) return false;
  at_ = p;
  return true;
}

bool Scanner::skip_container() {
  OpenContainers open;
  const char* p = at_;
  while (true) {
    p = Lexer::pass_space(p);
    if (*p == '{' || *p == '[') {
      if (depth_ + open.depth() == kMaxDepth) return refuse(p, Problem::TooDeep);
      open.push(*p);
      p = Lexer::pass_space(p + 1);
      if (*p == open.close()) {
        open.pop();
        p = pass_ends(p + 1, open);
      } else if (open.in_object()) {
        p = lexer_.pass_key(p);
      }
    } else {
      p = lexer_.pass_scalar(p);
      if (p != nullptr) p = pass_ends(p, open);
    }
    if (p == nullptr) return false;
    if (open.depth() == 0) {
      at_ = p;
      return true;
    }
  }
}

// From behind a value to the next one, passing the ends of containers, a comma and a key.
inline const char* Scanner::pass_ends(const char* p, OpenContainers& open) {
  while (open.depth() > 0) {
    p = Lexer::pass_space(p);
    if (*p == ',') return open.in_object() ? lexer_.pass_key(Lexer::pass_space(p + 1)) : p + 1;
    if (*p != open.close()) {
      return lexer_.fail(p, open.in_object() ? Problem::NoCommaOrBrace : Problem::NoCommaOrBracket);
    }
    ++p;
    open.pop();
  }
  return p;
}

std::optional<std::string_view> Scanner::read_scalar() {
  const char* begin = Lexer::pass_space(at_);
  const char* end = lexer_.pass_scalar(begin);
  if (end == nullptr) return std::nullopt;
  at_ = end;
  return std::string_view(begin, end);
}

bool Scanner::read_end() {
  at_ = Lexer::pass_space(at_);
  return at_ == lexer_.end() || refuse(at_, Problem::TrailingText);
}

Scanner::Step Scanner::begin_container(char close) {
  at_ = Lexer::pass_space(at_);
  if (depth_ == kMaxDepth) {
    lexer_.fail(at_, Problem::TooDeep);
    return Step::Failed;
  }
  ++depth_;
  at_ = Lexer::pass_space(at_ + 1);
  if (*at_ != close) return Step::More;
  ++at_;
  --depth_;
  return Step::End;
}

Scanner::Step Scanner::after_element(char close) {
  at_ = Lexer::pass_space(at_);
  if (*at_ != ',' && *at_ != close) {
    lexer_.fail(at_, close == '}' ? Problem::NoCommaOrBrace : Problem::NoCommaOrBracket);
    return Step::Failed;
  }
  if (*at_++ == ',') return Step::More;
  --depth_;
  return Step::End;
}

std::optional<std::string_view> Scanner::read_key() {
  const char* key = Lexer::pass_space(at_);
  const char* value = lexer_.pass_key(key);
  if (value == nullptr) return std::nullopt;
  at_ = value;
  const char* quote = value - 1;  // behind the key stand perhaps space, and a colon
  while (*quote != '"')
    --quote;
  return std::string_view(key + 1, quote);
}

}  // namespace goondan::builtin::json_query
