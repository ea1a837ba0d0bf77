// inter-agent-response-format: an answer that another agent gave later reads as what it is, with
// the request it belongs to.
#include "base/json_fields.h"
#include "extension/shipped/extension_config.h"
#include "extension/shipped/extension_message.h"
#include "extension/shipped/shipped.h"

namespace goondan::shipped {
namespace {

constexpr std::string_view kResponseKey = "__goondanInterAgentResponse";
constexpr std::string_view kFormattedKey = "formatted";
constexpr std::size_t kMaxName = 200;             // code points
constexpr std::size_t kMaxRequestMetadata = 500;  // code points

enum class RequestMetadata { Leave, Show };

struct Format {
  RequestMetadata request_metadata;
  std::function<void(LogLevel, std::string_view)> log;
};

// What the agent said. The runtime puts a line of its own and an empty one before it; a host of
// another kind may send an object as text.
std::string answer_of(const std::string& text) {
  if (text.starts_with("{")) {
    const Result<Json> json = parse_json(text);
    const JsonObject* body = json.ok() ? json->if_object() : nullptr;
    if (body != nullptr && text_field(*body, "type") == "inter_agent_response") {
      const Json response = any_field(*body, "response");
      return response.is_string() ? std::string(response.get_string()) : to_text(response);
    }
  }
  const std::size_t end = text.find("\n\n");
  const bool introduced = text.starts_with("Agent ") && text.find('\n') == end;
  return introduced && end != std::string::npos ? text.substr(end + 2) : text;
}

std::string outcome_text(const std::string& status, const JsonObject& about) {
  if (status == "ok" || status.empty()) return "answered";
  std::string text = status == "timeout" ? "did not answer in time" : "could not answer";
  const std::string code = text_field(about, "errorCode");
  const std::string problem = text_field(about, "errorMessage");
  if (!code.empty()) text += " (" + one_line(code, kMaxName) + ")";
  return problem.empty() ? text : text + ": " + problem;
}

std::string formatted(const Format& format, const Message& message, const JsonObject& about) {
  const std::string status = text_field(about, "status");
  const std::string from = text_field(about, "fromAgentId");
  std::string text =
      "[Reply of another agent]\nAgent: " + (from.empty() ? "unknown" : one_line(from, kMaxName));
  const std::string request = text_field(about, "requestId");
  if (!request.empty()) text += "\nRequest: " + one_line(request, kMaxName);
  const std::string type = text_field(about, "requestEventType");
  if (!type.empty()) text += " (" + one_line(type, kMaxName) + ")";
  const JsonObject* asked = object_field(about, "requestMetadata");
  if (format.request_metadata == RequestMetadata::Show && asked != nullptr && !asked->empty()) {
    text += "\nYou asked with: " + one_line(to_text(*asked), kMaxRequestMetadata);
  }
  text += "\nOutcome: " + outcome_text(status, about);
  const bool told = status != "ok" && about.contains("errorMessage");
  return told ? text : text + "\n\n" + answer_of(message.text());
}

Result<void> format_all(const Format& format, ConversationView& conversation) {
  std::vector<Message> changed;
  for (const Message& message : conversation.messages()) {
    const JsonObject* about = object_field(message.metadata, kResponseKey);
    if (about == nullptr || true_field(*about, kFormattedKey)) continue;
    Message readable = message;
    readable.data = {{"role", "user"}, {"content", formatted(format, message, *about)}};
    readable.metadata[kResponseKey].as_object()[kFormattedKey] = true;
    changed.push_back(std::move(readable));
  }
  for (Message& message : changed) {
    const std::string id = message.id;
    GDN_TRY(conversation.replace(id, std::move(message)));
  }
  return {};
}

}  // namespace

Result<void> register_inter_agent_response_format(ExtensionSite& site, const JsonObject& config) {
  ExtensionConfig reader(site.name, config);
  const bool show = reader.flag("includeRequestMetadata", true);
  GDN_TRY(reader.finish());
  const Format format{.request_metadata = show ? RequestMetadata::Show : RequestMetadata::Leave,
                      .log = site.log};
  site.layers.step.add(site.name, [format](StepContext& context, StepPipeline::Next& next) {
    const Result<void> done = format_all(format, context.conversation);
    if (!done.ok()) format.log(LogLevel::Warn, "replies stay as they are: " + done.error().message);
    return next();
  });
  return {};
}

}  // namespace goondan::shipped
