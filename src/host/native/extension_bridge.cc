#include "host/native/extension_bridge.h"

#include <algorithm>
#include <array>

#include "host/native/plugin_json.h"
#include "host/native/protocol.h"

namespace goondan {

bool is_notice(std::string_view method) {
  constexpr std::array<std::string_view, 4> kNotices{"log", "progress", "events.emit",
                                                     "pipeline.register"};
  return std::ranges::find(kNotices, method) != kNotices.end();
}

Json log_params(int level, std::string_view text) {
  constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};
  const int known = std::clamp(level, GDN_LOG_DEBUG + 0, GDN_LOG_ERROR + 0);
  return JsonObject{{"level", kLevels[static_cast<std::size_t>(known)]},
                    {"text", text.substr(0, kMaxLogBytes)}};
}

Json progress_params(double done, double total, std::string_view text) {
  return JsonObject{{"done", done}, {"total", total}, {"text", text.substr(0, kMaxLogBytes)}};
}

RawReply raw_reply(const Result<Json>& answer) {
  if (answer.ok()) return {.status = GDN_REPLY_OK, .json = to_text(*answer)};
  return {.status = GDN_REPLY_ERROR, .json = to_text(error_to_json(answer.error()))};
}

}  // namespace goondan
