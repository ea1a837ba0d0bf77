// A plugin that, inside an agent's process, says whatever it is given to the orchestrator.
#include <string>
#include <sys/socket.h>

#include <goondan/plugin.h>

namespace {

using goondan::Json;
using goondan::JsonObject;
using goondan::Result;
using goondan::ToolContext;

constexpr int kSocket = 3;  // of an agent process, to the orchestrator
// For the answer of the other side to what it has been told.
constexpr std::chrono::milliseconds kPause{100};

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    held = held << 6 | static_cast<unsigned>(kDigits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits);
  }
  return bytes;
}

Result<Json> say(ToolContext& context, const JsonObject& input) {
  const std::string bytes = from_base64(std::string(input.at("bytes").as_string()));
  std::string_view rest = bytes;
  while (!rest.empty() && !context.cancelled()) {
    const ssize_t put = ::send(kSocket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (put <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  context.sleep_for(kPause);
  return bytes.size();
}

}  // namespace

GDN_PLUGIN({"say", say})
