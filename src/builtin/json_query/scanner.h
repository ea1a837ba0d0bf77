// Reads a JSON document from front to back, without building anything.
//
// Every byte that is passed is checked, in what is skipped as in what is read: a document that has
// been passed to its end is well-formed JSON in valid UTF-8. Needs no memory, whatever the
// document's size, and no recursion, whatever its depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/json_query/lexer.h"

namespace goondan::builtin::json_query {

// Deeper documents are refused.
inline constexpr std::size_t kMaxDepth = 1'000;

enum class Kind : std::uint8_t { Object, Array, String, Number, Boolean, Null };

// Borrows the document. Confined to one call. After a function has failed, only `error()` may be
// called.
class Scanner {
 public:
  explicit Scanner(const JsonString& document);

  // What kind of value comes next; fails with nothing if none does.
  std::optional<Kind> next_kind();

  // Passes the next value.
  bool skip_value();

  // Passes the next value, which is no container, and returns its text; a string's with quotes.
  std::optional<std::string_view> read_scalar();

  // Passes an object; `member(key)` is called for each key, as it stands between its quotes, and
  // must pass the value.
  template <class Member>
  bool read_object(Member member);

  // Passes an array; `element()` must pass one element.
  template <class Element>
  bool read_array(Element element);

  // Passes the white space behind the document's value; fails if there is more.
  bool read_end();

  // The byte that is next; `seek` goes back to one where a value began.
  [[nodiscard]] std::size_t position() const;
  void seek(std::size_t position);

  // Why a function failed: what was wrong, and in which line and column.
  [[nodiscard]] Error error() const;

 private:
  enum class Step { More, End, Failed };
  class OpenContainers;

  Step begin_container(char close);
  Step after_element(char close);
  std::optional<std::string_view> read_key();

  bool skip_container();
  const char* pass_ends(const char* p, OpenContainers& open);
  bool refuse(const char* p, Problem problem);

  Lexer lexer_;
  const char* at_;
  std::size_t depth_ = 0;
};

template <class Member>
bool Scanner::read_object(Member member) {
  Step step = begin_container('}');
  while (step == Step::More) {
    const std::optional<std::string_view> key = read_key();
    if (!key || !member(*key)) return false;
    step = after_element('}');
  }
  return step == Step::End;
}

template <class Element>
bool Scanner::read_array(Element element) {
  Step step = begin_container(']');
  while (step == Step::More) {
    if (!element()) return false;
    step = after_element(']');
  }
  return step == Step::End;
}

}  // namespace goondan::builtin::json_query
