// What the status of an answer says to people.
#include "base/json_fields.h"
#include "mcp/http_endpoint.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

// What the server says in its own words: the message of a JSON-RPC error, or the text itself.
std::string said(const HttpAnswer& answer) {
  const Result<Json> document = parse_json(answer.text());
  std::string words;
  if (document.ok()) {
    const JsonObject& object = object_or_empty(*document);
    const JsonObject* error = object_field(object, "error");
    words = error != nullptr ? text_field(*error, "message") : text_field(object, "message");
  }
  if (words.empty()) words = answer.text();
  return words.empty() ? "" : ": " + clean_text(words);
}

std::string suggestion(int status) {
  if (status == 401 || status == 403) {
    return "Give the server what it asks for, e.g. a token in the header 'Authorization' under "
           "'headers'.";
  }
  if (status == 404 || status == 405) {
    return "Check the URL; the path of an MCP server is often '/mcp'.";
  }
  if (status >= 300 && status < 400) return "Configure the URL that it redirects to.";
  if (status >= 500 || status == 429) return "Try again later, or look at the server's log.";
  return {};
}

}  // namespace

Error HttpEndpoint::refusal(const HttpAnswer& answer) const {
  const std::string number = std::to_string(answer.status());
  std::string words = "it answered with HTTP status " + number;
  if (answer.status() == 401) words = "it wants authorization (HTTP status 401)";
  if (answer.status() == 403)
    words = "it does not allow this without authorization (HTTP status 403)";
  return named({.code = ErrorCode::McpServer,
                .message = words + said(answer),
                .suggestion = suggestion(answer.status())});
}

}  // namespace goondan::mcp
