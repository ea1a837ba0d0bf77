#include "cli/mcp_import.h"

namespace goondan::cli {
namespace {

// Blanks out what JSON does not know and leaves everything at its place, so that the parser's
// lines and columns are those of the file.
class Plain {
 public:
  explicit Plain(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.replace(0, 3, 3, ' ');
  }

  std::string take() && {
    while (at_ < text_.size())
      step();
    return std::move(text_);
  }

 private:
  void step() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    if (rest.starts_with('"')) {
      skip_string();
    } else if (rest.starts_with("//")) {
      blank(rest.find('\n'));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      blank(end == std::string_view::npos ? end : end + 2);
    } else {
      note(rest.front());
      ++at_;
    }
  }

  void skip_string() {
    comma_ = std::string::npos;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }

  void blank(std::size_t length) {
    const std::size_t end = length == std::string_view::npos ? text_.size() : at_ + length;
    for (; at_ < end; ++at_)
      if (text_[at_] != '\n') text_[at_] = ' ';
  }

  // A comma that is followed by the end of its list goes.
  void note(char c) {
    if (c == ',') {
      comma_ = at_;
    } else if (c == '}' || c == ']') {
      if (comma_ != std::string::npos) text_[comma_] = ' ';
      comma_ = std::string::npos;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      comma_ = std::string::npos;
    }
  }

  std::string text_;
  std::size_t at_ = 0;
  std::size_t comma_ = std::string::npos;  // the last one, if nothing but space came after it
};

}  // namespace

Result<Json> parse_tolerant_json(std::string_view text) {
  return parse_json(Plain(text).take());
}

}  // namespace goondan::cli
