#include "cli/view_words.h"

#include <array>
#include <cstdio>

#include "base/json_fields.h"
#include "base/utf8.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTabColumns = 4;
// What is read of a text to show a line of it: enough for what is shown, even if it begins blank.
constexpr std::size_t kMaxReadBytes = 32 * kMaxShownCharacters;

// U+202A…202E, U+2066…2069, U+2028, U+2029, U+200E, U+200F: they reorder or break what is shown.
bool misleads(std::string_view sequence) {
  if (sequence.size() != 3 || sequence[0] != '\xE2') return false;
  const auto last = static_cast<unsigned char>(sequence[2]);
  if (sequence[1] == '\x80') return last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE);
  return sequence[1] == '\x81' && last >= 0xA6 && last <= 0xA9;
}

void append_shown(std::string& out, std::string_view sequence) {
  if (sequence == "\t") {
    out.append(kTabColumns, ' ');
  } else if (misleads(sequence)) {
    const unsigned point = 0x2000U | (static_cast<unsigned char>(sequence[1]) & 0x3FU) << 6 |
                           (static_cast<unsigned char>(sequence[2]) & 0x3FU);
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\u%04x", point);
    out += text.data();
  } else {
    out += sequence;
  }
}

std::string without_carriage_returns(std::string_view text) {
  std::string out(text);
  std::erase(out, '\r');
  return out;
}

}  // namespace

std::string clean_text(std::string_view text) {
  const std::string safe = printable(without_carriage_returns(text));
  std::string out;
  out.reserve(safe.size());
  for (std::string_view rest = safe; !rest.empty();) {
    const std::string_view sequence =
        rest.substr(0, std::max<std::size_t>(utf8::sequence_length(rest), 1));
    rest.remove_prefix(sequence.size());
    append_shown(out, sequence);
  }
  return out;
}

std::string one_line(std::string_view text) {
  const std::string clean = clean_text(text.substr(0, kMaxReadBytes));
  std::string out;
  bool blank = true;  // so far, so that none comes first
  for (const char c : clean) {
    const bool space = c == ' ' || c == '\n';
    if (!(space && blank)) out += space ? ' ' : c;
    blank = space;
  }
  while (out.ends_with(' '))
    out.pop_back();
  if (utf8::length(out) <= kMaxShownCharacters) return out;
  return std::string(utf8::prefix(out, kMaxShownCharacters - 1)) + "…";
}

std::string arguments_text(const Json& arguments) {
  if (!arguments.is_object()) return arguments.is_null() ? "" : one_line(to_text(arguments));
  std::string out;
  for (const auto& [key, value] : arguments.get_object()) {
    if (!out.empty()) out += ' ';
    out += std::string_view(key);
    out += '=';
    if (value.is_string()) {
      out += '"' + one_line(value.get_string().subview(0, kMaxReadBytes)) + '"';
    } else {
      out += to_text(value);
    }
    if (out.size() > kMaxReadBytes) break;
  }
  return one_line(out);
}

std::string duration_text(milliseconds duration) {
  const std::int64_t ms = std::max<std::int64_t>(duration.count(), 0);
  std::array<char, 48> text{};
  if (ms < 100) {
    std::snprintf(text.data(), text.size(), "%d ms", static_cast<int>(ms));
  } else if (ms < 1'000) {
    std::snprintf(text.data(), text.size(), "%.2f s", static_cast<double>(ms) / 1000);
  } else if (ms < 60'000) {
    std::snprintf(text.data(), text.size(), "%.1f s", static_cast<double>(ms / 100) / 10);
  } else if (ms < 3'600'000) {
    std::snprintf(text.data(), text.size(), "%d min %02d s", static_cast<int>(ms / 60'000),
                  static_cast<int>(ms / 1'000 % 60));
  } else {
    std::snprintf(text.data(), text.size(), "%lld h %02d min",
                  static_cast<long long>(ms / 3'600'000), static_cast<int>(ms / 60'000 % 60));
  }
  return text.data();
}

std::string count_text(std::int64_t count) {
  std::array<char, 32> text{};
  if (count < 1'000) {
    std::snprintf(text.data(), text.size(), "%lld", static_cast<long long>(count));
  } else if (count < 1'000'000) {
    std::snprintf(text.data(), text.size(), "%.1fk", static_cast<double>(count / 100) / 10);
  } else {
    std::snprintf(text.data(), text.size(), "%.1fM", static_cast<double>(count / 100'000) / 10);
  }
  return text.data();
}

std::string counted(std::int64_t count, std::string_view what) {
  return count_text(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string error_line(const Error& error) {
  return one_line(error.message) + " [" + std::string(error.code_text()) + "]";
}

std::string instance_text(std::string_view agent, std::string_view key,
                          std::string_view usual_key) {
  if (key.empty() || key == usual_key) return one_line(agent);
  return one_line(std::string(agent) + "@" + std::string(key));
}

std::string instance_text(std::string_view name, std::string_view usual_key) {
  const std::size_t at = name.find('@');
  if (at == std::string_view::npos) return one_line(name);
  return instance_text(name.substr(0, at), name.substr(at + 1), usual_key);
}

std::string consent_words(const JsonObject& observation) {
  const std::string app = one_line(text_field(observation, "app"));
  const std::string code = one_line(text_field(observation, "userCode"));
  const std::string_view link_field = code.empty() ? "authorizationUrl" : "verificationUri";
  std::string words =
      app + " needs consent: open " + clean_text(text_field(observation, link_field));
  if (!code.empty()) words += " and enter " + code;
  return words;
}

}  // namespace goondan::cli
