// What `--elicit`, `--sample` and `--roots` answer to servers that ask.
#include "base/json_fields.h"
#include "cli/mcp_session.h"

namespace goondan::cli {
namespace {

Error usage(std::string message, std::string suggestion) {
  return {
      .code = ErrorCode::Usage, .message = std::move(message), .suggestion = std::move(suggestion)};
}

JsonObject declined() {
  return {{"action", "decline"}};
}

// What the question itself proposes for its fields.
JsonObject defaults_of(const Json& params) {
  JsonObject content;
  const JsonObject* schema = object_field(object_or_empty(params), "requestedSchema");
  const JsonObject* fields = schema == nullptr ? nullptr : object_field(*schema, "properties");
  if (fields == nullptr) return content;
  for (const auto& [name, field] : *fields) {
    const Json* value = object_or_empty(field).if_contains("default");
    if (value != nullptr) content[name] = *value;
  }
  return content;
}

// Questions that send the user to a page are never answered with yes.
bool asks_for_a_visit(const Json& params) {
  return text_field(object_or_empty(params), "mode") == "url";
}

Result<std::function<Result<Json>(const Json&)>> elicitation(const std::string& how) {
  using Answerer = std::function<Result<Json>(const Json&)>;
  if (how == "decline") return Answerer([](const Json&) -> Result<Json> { return declined(); });
  if (how == "defaults") {
    return Answerer([](const Json& params) -> Result<Json> {
      if (asks_for_a_visit(params)) return declined();
      return JsonObject{{"action", "accept"}, {"content", defaults_of(params)}};
    });
  }
  const Result<Json> content = parse_json(how);
  if (!content.ok() || !content->is_object()) {
    return usage("--elicit '" + how + "' is neither decline nor defaults nor a JSON object",
                 "Write for example --elicit defaults, or --elicit '{\"name\": \"Mina\"}'.");
  }
  return Answerer([content = *content](const Json& params) -> Result<Json> {
    if (asks_for_a_visit(params)) return declined();
    return JsonObject{{"action", "accept"}, {"content", content}};
  });
}

Result<std::string> folder(const std::string& given) {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::canonical(given, failed);
  if (failed || !std::filesystem::is_directory(path, failed)) {
    return usage("--roots '" + given + "' is not a folder", "Give an existing folder.");
  }
  return path.string();
}

}  // namespace

Result<mcp::Services> mcp_services(const McpServerChoice& choice) {
  mcp::Services services;
  for (const std::string& given : choice.roots)
    services.roots.push_back(GDN_TRY(folder(given)));
  if (choice.elicit) services.elicit = GDN_TRY(elicitation(*choice.elicit));
  if (choice.sample) {
    services.sample = [text = *choice.sample](const Json&) -> Result<Json> {
      return JsonObject{{"role", "assistant"},
                        {"content", JsonObject{{"type", "text"}, {"text", text}}},
                        {"model", "gdn"},
                        {"stopReason", "endTurn"}};
    };
  }
  return services;
}

}  // namespace goondan::cli
