#include "support/vectors.h"

#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace goondan::testing {
namespace {

std::size_t size_of(const Json& value) {
  if (value.is_string()) return utf8::length(value.get_string());
  if (value.is_array()) return value.get_array().size();
  return value.is_object() ? value.get_object().size() : 0;
}

bool includes(const JsonArray& wanted, const Json& got) {
  if (!got.is_array()) return false;
  return std::all_of(wanted.begin(), wanted.end(), [&got](const Json& want) {
    const JsonArray& items = got.get_array();
    return std::any_of(items.begin(), items.end(),
                       [&want](const Json& item) { return difference(want, item).empty(); });
  });
}

bool matches(std::string_view matcher, const Json& argument, const Json& got) {
  const std::string text = got.is_string() ? std::string(got.get_string()) : std::string();
  if (matcher == "$any") return !got.is_null();
  if (matcher == "$contains") return text.find(argument.as_string().c_str()) != std::string::npos;
  if (matcher == "$regex") return std::regex_search(text, std::regex(argument.as_string().c_str()));
  if (matcher == "$length") return static_cast<std::int64_t>(size_of(got)) == argument.as_int64();
  if (matcher == "$includes") return includes(argument.as_array(), got);
  if (matcher == "$type") return argument == Json("string") && got.is_string();
  if (matcher == "$json") return difference(argument, parse_json(text).value()).empty();
  ADD_FAILURE() << "unknown matcher " << matcher;
  return false;
}

bool is_matcher(const Json& want) {
  return want.is_object() && !want.get_object().empty() &&
         std::all_of(want.get_object().begin(), want.get_object().end(),
                     [](const auto& member) { return member.key().starts_with("$"); });
}

std::string differing(const Json& want, const Json& got, const std::string& path) {
  return path + ": wanted " + to_text(want) + ", got " + to_text(got).substr(0, 300);
}

const Json* at_path(const Json& value, std::string_view path) {
  const Json* at = &value;
  while (!path.empty() && at != nullptr) {
    const std::size_t dot = path.find('.');
    at = at->is_object() ? at->get_object().if_contains(path.substr(0, dot)) : nullptr;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return at;
}

}  // namespace

std::vector<Json> load_vectors(const std::string& file_name) {
  std::ifstream in(std::string(GDN_TEST_DATA) + "/vectors/" + file_name);
  EXPECT_TRUE(in.good()) << file_name;
  std::vector<Json> vectors;
  for (std::string line; std::getline(in, line);)
    vectors.push_back(parse_json(line).value());
  return vectors;
}

std::string difference(const Json& want, const Json& got, const std::string& path) {
  if (is_matcher(want)) {
    for (const auto& [matcher, argument] : want.get_object()) {
      if (!matches(matcher, argument, got)) return differing(want, got, path);
    }
    return {};
  }
  if (!want.is_object()) return want == got ? std::string() : differing(want, got, path);
  if (!got.is_object()) return differing(want, got, path);
  for (const auto& [key, value] : want.get_object()) {
    const Json* member = got.get_object().if_contains(key);
    const std::string inner = path + "." + std::string(key);
    if (member == nullptr) return inner + ": missing";
    if (std::string text = difference(value, *member, inner); !text.empty()) return text;
  }
  return {};
}

std::string unexpected(const Json& expect, const Json& got) {
  for (const auto& [key, want] : expect.as_object()) {
    if (key == "errorContains") {
      const std::string text = to_text(got);
      if (text.find(want.as_string().c_str()) == std::string::npos) {
        return "error does not contain " + to_text(want) + ": " + text;
      }
    } else if (key == "absent") {
      for (const Json& path : want.as_array()) {
        if (at_path(got, path.as_string()) != nullptr) return to_text(path) + " should be absent";
      }
    } else {
      const Json* member = got.as_object().if_contains(key);
      if (member == nullptr) return std::string(key) + ": missing in " + to_text(got);
      if (std::string text = difference(want, *member, std::string(key)); !text.empty())
        return text;
    }
  }
  return {};
}

}  // namespace goondan::testing
