#include "schema/uri.h"

#include <algorithm>
#include <cctype>

namespace goondan::schema {
namespace {

struct Uri {
  std::string_view scheme = {};
  std::optional<std::string_view> authority = {};
  std::string_view path = {};
  std::optional<std::string_view> query = {};
};

std::size_t scheme_length(std::string_view text) {
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':') return i;
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+' && c != '-' && c != '.') break;
  }
  return 0;
}

Uri parse(std::string_view text) {
  Uri uri;
  if (const std::size_t length = scheme_length(text); length > 0) {
    uri.scheme = text.substr(0, length);
    text.remove_prefix(length + 1);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    uri.query = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    uri.authority = text.substr(2, end - 2);
    text.remove_prefix(end);
  }
  uri.path = text;
  return uri;
}

// Drops the last segment of what has been written, as `..` asks.
void drop_segment(std::string& out) {
  const std::size_t slash = out.rfind('/');
  out.erase(slash == std::string::npos ? 0 : slash);
}

std::string without_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', path.front() == '/' ? 1 : 0), path.size());
    const std::string_view segment = path.substr(0, end);
    const bool last = end == path.size();
    path.remove_prefix(end);
    if (segment == "." || segment == "..") {
      if (!last) path.remove_prefix(1);
    } else if (segment == "/." || segment == "/..") {
      if (segment == "/..") drop_segment(out);
      if (last) out += '/';
    } else {
      out += segment;
    }
  }
  return out;
}

std::string merged_path(const Uri& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  return std::string(base.path.substr(0, slash == std::string_view::npos ? 0 : slash + 1)) +
         std::string(path);
}

std::string written(const Uri& uri, std::string_view path) {
  std::string out;
  if (!uri.scheme.empty()) out.append(uri.scheme).append(":");
  if (uri.authority) out.append("//").append(*uri.authority);
  out += path;
  if (uri.query) out.append("?").append(*uri.query);
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

UriAndFragment split_fragment(std::string_view reference) {
  const std::size_t mark = reference.find('#');
  if (mark == std::string_view::npos) return {.uri = reference, .fragment = {}};
  return {.uri = reference.substr(0, mark), .fragment = reference.substr(mark + 1)};
}

bool is_absolute_uri(std::string_view uri) {
  return scheme_length(uri) > 0;
}

std::string resolve_uri(std::string_view base_text, std::string_view reference_text) {
  if (reference_text.empty()) return std::string(base_text);
  const Uri base = parse(base_text);
  Uri target = parse(reference_text);
  if (base_text.empty()) return std::string(reference_text);
  if (!target.scheme.empty()) return written(target, without_dot_segments(target.path));
  target.scheme = base.scheme;
  if (target.authority) return written(target, without_dot_segments(target.path));
  target.authority = base.authority;
  if (target.path.empty()) return written(target, base.path);
  if (target.path.starts_with('/')) return written(target, without_dot_segments(target.path));
  return written(target, without_dot_segments(merged_path(base, target.path)));
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]);
    const int low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char c = pointer[i];
    if (c == '/') {
      steps.emplace_back();
      continue;
    }
    if (steps.empty()) return std::nullopt;
    if (c != '~') {
      steps.back() += c;
      continue;
    }
    const char escape = i + 1 < pointer.size() ? pointer[i + 1] : '\0';
    if (escape != '0' && escape != '1') return std::nullopt;
    steps.back() += escape == '0' ? '~' : '/';
    ++i;
  }
  return steps;
}

void append_pointer_step(std::string& pointer, std::string_view name) {
  pointer += '/';
  for (const char c : name) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

}  // namespace goondan::schema
