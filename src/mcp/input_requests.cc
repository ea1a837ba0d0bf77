#include "mcp/input_requests.h"

#include <filesystem>

#include "base/json_fields.h"
#include "mcp/json_rpc.h"
#include "net/url_encoding.h"

namespace goondan::mcp {
namespace {

// In a path, `%` and what begins a query or a fragment are ordinary characters.
std::string file_uri(const std::string& path) {
  std::string escaped;
  for (const char character : path) {
    if (character == '%') {
      escaped += "%25";
    } else if (character == '?') {
      escaped += "%3F";
    } else if (character == '#') {
      escaped += "%23";
    } else {
      escaped += character;
    }
  }
  return "file://" + net::percent_encoded(escaped, net::UrlPart::Path);
}

Json roots_result(const Services& services) {
  JsonArray roots;
  for (const std::string& folder : services.roots) {
    roots.push_back(JsonObject{{"uri", file_uri(folder)},
                               {"name", std::filesystem::path(folder).filename().string()}});
  }
  return JsonObject{{"roots", std::move(roots)}};
}

InputAnswer refused(std::string_view method) {
  return {.error = kMethodNotFound, .problem = "'" + clean_text(method, 100) + "' was not offered"};
}

InputAnswer ask(const std::function<Result<Json>(const Json&)>& service, std::string_view method,
                const Json& params) {
  if (!service) return refused(method);
  Result<Json> result = service(params);
  if (!result.ok()) return {.error = kInternalError, .problem = result.error().message};
  return {.result = *std::move(result)};
}

Error bad_demand(std::string problem) {
  return {.code = ErrorCode::Mcp,
          .message = "the server asks for input that it cannot have: " + std::move(problem)};
}

Result<JsonObject> answers_to(const Services& services, const JsonObject& requests) {
  if (requests.size() > kMaxInputRequests) {
    return bad_demand(std::to_string(requests.size()) + " requests at once");
  }
  JsonObject responses;
  for (const auto& [key, request] : requests) {
    const JsonObject& object = object_or_empty(request);
    InputAnswer answer =
        answer_input(services, text_field(object, "method"), any_field(object, "params"));
    if (answer.error != 0) return bad_demand(answer.problem);
    responses[key] = std::move(answer.result);
  }
  return responses;
}

}  // namespace

JsonObject declared_capabilities(const Services& services, Era era) {
  JsonObject capabilities;
  if (!services.roots.empty()) capabilities["roots"] = JsonObject{};
  if (services.sample) capabilities["sampling"] = JsonObject{};
  if (services.elicit) {
    // An empty object means the same; only the newer form can be told from "nothing at all".
    capabilities["elicitation"] =
        era == Era::Modern ? JsonObject{{"form", JsonObject{}}} : JsonObject{};
  }
  return capabilities;
}

InputAnswer answer_input(const Services& services, std::string_view method, const Json& params) {
  if (method == "roots/list") {
    return services.roots.empty() ? refused(method) : InputAnswer{.result = roots_result(services)};
  }
  if (method == "sampling/createMessage") return ask(services.sample, method, params);
  if (method != "elicitation/create") return refused(method);
  if (services.elicit && text_field(object_or_empty(params), "mode") == "url") {
    return {.error = kInvalidParams, .problem = "elicitation by 'url' was not offered"};
  }
  return ask(services.elicit, method, params);
}

Result<JsonObject> params_with_inputs(const Services& services, const JsonObject& params,
                                      const JsonObject& required) {
  const JsonObject* requests = object_field(required, "inputRequests");
  const Json* state = required.if_contains("requestState");
  if (requests == nullptr && (state == nullptr || !state->is_string())) {
    return bad_demand("it says neither what it wants nor where it stands");
  }
  JsonObject next = params;
  next.erase("inputResponses");
  next.erase("requestState");
  if (requests != nullptr) {
    JsonObject responses = GDN_TRY(answers_to(services, *requests));
    next["inputResponses"] = std::move(responses);
  }
  if (state != nullptr && state->is_string()) next["requestState"] = *state;
  return next;
}

}  // namespace goondan::mcp
