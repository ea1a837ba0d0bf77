#include "model/scripted_when.h"

#include <re2/re2.h>

#include "resource/mapping_reader.h"

namespace goondan::scripted {
namespace {

constexpr Words<Role, 2> kRoles{{{"user", Role::User}, {"tool", Role::Tool}}};
constexpr Words<CallStatus, 3> kStatuses{
    {{"ok", CallStatus::Ok}, {"error", CallStatus::Error}, {"pending", CallStatus::Pending}}};
std::vector<std::string> one_or_more(const Place& place, Diagnostics& diagnostics) {
  if (place.node->kind == yaml::NodeKind::Sequence) return read_texts(place, diagnostics);
  std::optional<std::string> text = read_text(place, diagnostics);
  return text ? std::vector{std::move(*text)} : std::vector<std::string>{};
}

std::shared_ptr<const re2::RE2> read_pattern(const Place& place, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text(place, diagnostics);
  if (!text) return nullptr;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(static_cast<std::int64_t>(kMaxPatternMemory));
  auto pattern = std::make_shared<re2::RE2>(*text, options);
  if (pattern->ok()) return pattern;
  report(place, diagnostics, "`matches` is not a regular expression: " + pattern->error(),
         "The syntax is that of RE2: no look-ahead, no back references.");
  return nullptr;
}

}  // namespace

void report(const Place& place, Diagnostics& diagnostics, std::string message,
            std::string suggestion) {
  diagnostics.error(place.spot(), ErrorCode::Script, std::move(message), std::move(suggestion));
}

When read_when(const Place& place, Diagnostics& diagnostics) {
  MappingReader reader(place, diagnostics);
  When when;
  when.role = read_word(reader.find("role"), kRoles, diagnostics);
  if (const auto field = reader.find("contains")) when.contains = one_or_more(*field, diagnostics);
  when.equals = reader.text("equals");
  if (const auto field = reader.find("matches")) when.matches = read_pattern(*field, diagnostics);
  when.tool = reader.text("tool");
  when.status = read_word(reader.find("status"), kStatuses, diagnostics);
  if (const auto field = reader.find("system")) when.system = one_or_more(*field, diagnostics);
  when.turn = reader.positive("turn");
  when.step = reader.positive("step");
  reader.finish(Unknown::Error);
  if (when.role == Role::User && (when.tool || when.status)) {
    report(place, diagnostics, "no message of the user has a `tool` or a `status`",
           "Remove `role: user`, or the others.");
  }
  return when;
}

}  // namespace goondan::scripted
