#include "host/sdk/host_proxy.h"

#include "host/native/plugin_json.h"
#include "host/sdk/call_parts.h"

namespace goondan::plugin {
namespace {

Error no_answer() {
  return {.code = ErrorCode::Internal, .message = "the runtime did not answer the request"};
}

// What the runtime answers. The bytes are the runtime's and only borrowed, hence the text.
struct Answer {
  int status = -1;
  std::string json;

  static void receive(void* self, int status, gdn_bytes json) {
    *static_cast<Answer*>(self) = {.status = status, .json = std::string(json.data, json.size)};
  }
};

}  // namespace

void HostProxy::log(LogLevel level, std::string_view text) {
  api_.log(host_, static_cast<int>(level), bytes(text));
}

void HostProxy::progress(const Progress& progress) {
  api_.progress(host_, progress.done, progress.total, bytes(progress.text));
}

Result<Json> HostProxy::request(std::string_view method, const Json& params) {
  Answer answer;
  const std::string params_text = to_text(params);
  api_.request(host_, bytes(method), bytes(params_text), Answer::receive, &answer);
  if (answer.status < 0) return no_answer();
  Json value = GDN_TRY(parse_json(answer.json, kExtensionJsonLimits));
  if (answer.status == GDN_REPLY_OK) return value;
  return error_from_json(value).value_or(no_answer());
}

}  // namespace goondan::plugin
