#include "resource/env_file.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "resource/file_read.h"

namespace goondan {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kExport = "export";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool in_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9');
}

// Reads entry by entry; `fail` knows where it is.
class EnvReader {
 public:
  EnvReader(std::string_view text, std::string_view file) : text_(text), file_(file) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  // Nothing at the end of the file.
  Result<std::optional<EnvEntry>> next() {
    skip_empty_lines();
    if (at_end()) return std::optional<EnvEntry>();
    skip_export();
    EnvEntry entry;
    entry.name = name();
    if (entry.name.empty()) return fail("does not begin with the name of a variable");
    skip_blanks();
    if (at_end() || text_[at_] != '=') return fail("has no '=' after '" + entry.name + "'");
    ++at_;
    skip_blanks();
    entry.value = GDN_TRY(value());
    return std::optional(std::move(entry));
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] bool at_line_end() const { return at_end() || text_[at_] == '\n'; }

  void skip_blanks() {
    while (!at_end() && is_blank(text_[at_]))
      ++at_;
  }

  void skip_line() {
    while (!at_line_end())
      ++at_;
  }

  void skip_empty_lines() {
    while (true) {
      skip_blanks();
      if (!at_end() && text_[at_] == '#') skip_line();
      if (at_end() || text_[at_] != '\n') return;
      ++at_;
    }
  }

  void skip_export() {
    const std::size_t after = at_ + kExport.size();
    if (!text_.substr(at_).starts_with(kExport)) return;
    if (after >= text_.size() || !is_blank(text_[after])) return;
    at_ = after;
    skip_blanks();
  }

  std::string name() {
    const std::size_t begin = at_;
    if (at_end() || !begins_name(text_[at_])) return {};
    while (!at_end() && in_name(text_[at_]))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Result<std::string> value() {
    if (!at_line_end() && (text_[at_] == '"' || text_[at_] == '\'')) return quoted(text_[at_]);
    const std::size_t begin = at_;
    while (!at_line_end() && !(text_[at_] == '#' && (at_ == begin || is_blank(text_[at_ - 1]))))
      ++at_;
    std::size_t end = at_;
    while (end > begin && is_blank(text_[end - 1]))
      --end;
    skip_line();
    return std::string(text_.substr(begin, end - begin));
  }

  Result<std::string> quoted(char quote) {
    const std::size_t begin = at_++;
    std::string value;
    while (!at_end() && text_[at_] != quote)
      value += quote == '"' ? escaped() : text_[at_++];
    if (at_end()) {
      at_ = begin;
      return fail("begins a value in quotes that does not end");
    }
    ++at_;
    skip_blanks();
    if (!at_line_end() && text_[at_] != '#') return fail("goes on after the closing quote");
    skip_line();
    return value;
  }

  char escaped() {
    const char c = text_[at_++];
    if (c != '\\' || at_end()) return c;
    switch (text_[at_]) {
      case 'n':
        return ++at_, '\n';
      case 't':
        return ++at_, '\t';
      case 'r':
        return ++at_, '\r';
      case '"':
      case '\\':
      case '$':
        return text_[at_++];
      default:
        return c;  // a backslash that means nothing is a backslash
    }
  }

  // Never quotes the line: it may hold a secret.
  [[nodiscard]] Error fail(std::string what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
    return {.code = ErrorCode::ConfigParse,
            .message = std::string(file_) + ":" + std::to_string(line) + ": the line " + what,
            .suggestion = "Write it as NAME=value; put quotes around a value with spaces."};
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<EnvEntry>> parse_env_file(std::string_view text, std::string_view file) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return Error{.code = ErrorCode::ConfigParse,
                 .message = std::string(file) + ": holds a NUL byte; it is no text",
                 .suggestion = "Save it as UTF-8."};
  }
  EnvReader reader(text, file);
  std::vector<EnvEntry> entries;
  while (true) {
    std::optional<EnvEntry> entry = GDN_TRY(reader.next());
    if (!entry) return entries;
    entries.push_back(*std::move(entry));
  }
}

Result<std::vector<EnvEntry>> load_env_file(const std::filesystem::path& file, Absent absent) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    if (absent == Absent::Empty) return std::vector<EnvEntry>();
    return Error{.code = ErrorCode::ConfigFileNotFound,
                 .message = "the environment file '" + file.string() + "' does not exist",
                 .suggestion = "Check the path given with --env-file."};
  }
  const std::string text = GDN_TRY(read_regular_file(file, kMaxEnvFileBytes));
  return parse_env_file(text, file.string());
}

}  // namespace goondan
