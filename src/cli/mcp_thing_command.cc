#include "base/base64.h"
#include "base/json_fields.h"
#include "cli/call_arguments.h"
#include "cli/interrupt.h"
#include "cli/mcp_session.h"
#include "cli/state_commands.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

// The items under `key` of all pages of a list.
Result<JsonArray> all_pages(McpSession& session, std::string_view method, std::string_view key) {
  JsonArray items;
  JsonObject params;
  for (std::size_t page = 0; page < mcp::kMaxPages && items.size() < mcp::kMaxTools; ++page) {
    const Json answer = GDN_TRY(session.client().request(method, params, session.limits()));
    const JsonObject& result = object_or_empty(answer);
    const JsonArray* found = array_field(result, key);
    if (found != nullptr) items.insert(items.end(), found->begin(), found->end());
    const Json* cursor = result.if_contains("nextCursor");
    if (cursor == nullptr || !cursor->is_string()) break;
    params["cursor"] = *cursor;
  }
  return items;
}

void print_items(const JsonArray& items, std::string_view first, std::string_view head) {
  Table table({std::string(head), "NAME", "DESCRIPTION"});
  for (const Json& item : items) {
    const JsonObject& object = object_or_empty(item);
    table.add(
        {text_field(object, first), text_field(object, "name"), text_field(object, "description")});
  }
  if (!table.empty()) print(table.text());
}

Result<void> list_resources(McpSession& session, Answer json) {
  const JsonArray resources = GDN_TRY(all_pages(session, "resources/list", "resources"));
  // Not all servers that have resources know templates.
  const Result<JsonArray> asked =
      all_pages(session, "resources/templates/list", "resourceTemplates");
  const JsonArray templates = asked.ok() ? *asked : JsonArray{};
  if (json == Answer::Yes) {
    print_line(to_text(JsonObject{{"resources", resources}, {"resourceTemplates", templates}}));
    return {};
  }
  print_items(resources, "uri", "URI");
  print_items(templates, "uriTemplate", "TEMPLATE");
  if (resources.empty() && templates.empty()) print_error_line("the server has no resources");
  return {};
}

Result<void> list_prompts(McpSession& session, Answer json) {
  const JsonArray prompts = GDN_TRY(all_pages(session, "prompts/list", "prompts"));
  if (json == Answer::Yes) {
    print_line(to_text(JsonObject{{"prompts", prompts}}));
    return {};
  }
  Table table({"PROMPT", "ARGUMENTS", "DESCRIPTION"});
  for (const Json& item : prompts) {
    const JsonObject& prompt = object_or_empty(item);
    std::string arguments;
    const JsonArray* declared = array_field(prompt, "arguments");
    for (const Json& each : declared == nullptr ? JsonArray{} : *declared) {
      const JsonObject& argument = object_or_empty(each);
      arguments += (arguments.empty() ? "" : " ") + text_field(argument, "name") +
                   (true_field(argument, "required") ? "" : "?");
    }
    table.add({text_field(prompt, "name"), arguments, text_field(prompt, "description")});
  }
  if (!table.empty()) print(table.text());
  if (table.empty()) print_error_line("the server has no prompts");
  return {};
}

// Text as it is; bytes too, but not onto a terminal.
void print_content(const JsonObject& content) {
  const Json* text = content.if_contains("text");
  if (text != nullptr && text->is_string()) {
    const std::string plain(text->get_string());
    return print_line(is_terminal(Stream::Out) ? printable(plain) : plain);
  }
  const std::optional<std::string> bytes = base64_decode(text_field(content, "blob"));
  if (!bytes) return print_error_line("note: a part of the resource is neither text nor bytes");
  if (!is_terminal(Stream::Out)) return print(*bytes);
  print_error_line("note: " + std::to_string(bytes->size()) + " bytes of " +
                   printable(text_field(content, "mimeType")) +
                   "; send the output to a file to get them");
}

Result<void> read_resource(McpSession& session, const McpThingRequest& request) {
  const Json answer = GDN_TRY(
      session.client().request("resources/read", {{"uri", request.name}}, session.limits()));
  if (request.json == Answer::Yes) {
    print_line(to_text(answer));
    return {};
  }
  const JsonArray* contents = array_field(object_or_empty(answer), "contents");
  for (const Json& content : contents == nullptr ? JsonArray{} : *contents)
    print_content(object_or_empty(content));
  return {};
}

// Arguments of prompts are always text.
Result<JsonObject> prompt_arguments(const std::vector<std::string>& words) {
  JsonObject arguments = GDN_TRY(parse_call_arguments(words, nullptr));
  for (auto& [name, value] : arguments) {
    if (!value.is_string()) value = to_text(value);
  }
  return arguments;
}

Result<void> get_prompt(McpSession& session, const McpThingRequest& request) {
  JsonObject params{{"name", request.name}};
  JsonObject arguments = GDN_TRY(prompt_arguments(request.words));
  if (!arguments.empty()) params["arguments"] = std::move(arguments);
  const Json answer =
      GDN_TRY(session.client().request("prompts/get", std::move(params), session.limits()));
  if (request.json == Answer::Yes) {
    print_line(to_text(answer));
    return {};
  }
  const JsonArray* messages = array_field(object_or_empty(answer), "messages");
  for (const Json& each : messages == nullptr ? JsonArray{} : *messages) {
    const JsonObject& message = object_or_empty(each);
    const Json content = any_field(message, "content");
    const std::string text = text_field(object_or_empty(content), "text");
    print_line(styled(printable(text_field(message, "role")) + ":", Style::Bold, Stream::Out) +
               " " + (text.empty() ? to_text(content) : printable(text)));
  }
  return {};
}

Result<void> show(McpSession& session, const McpThingRequest& request) {
  switch (request.thing) {
    case McpThing::Resources:
      return list_resources(session, request.json);
    case McpThing::Resource:
      return read_resource(session, request);
    case McpThing::Prompts:
      return list_prompts(session, request.json);
    case McpThing::Prompt:
      return get_prompt(session, request);
  }
  return {};
}

Result<ExitCode> thing(const McpThingRequest& request, const Interrupt& interrupt) {
  McpTarget target = GDN_TRY(choose_mcp_server(request.where));
  McpSession session =
      GDN_TRY(McpSession::open(std::move(target), request.where, interrupt.token()));
  GDN_TRY(show(session, request));
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_mcp_thing(const McpThingRequest& request) {
  const Interrupt interrupt;
  const ExitCode code = finish_command(thing(request, interrupt));
  return interrupt.requested() ? ExitCode::Interrupted : code;
}

}  // namespace goondan::cli
