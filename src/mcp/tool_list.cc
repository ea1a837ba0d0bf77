#include "mcp/tool_list.h"

#include <set>

#include "base/json_fields.h"
#include "mcp/header_params.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kMaxShownName = 100;

Error unusable(std::string why) {
  return {.code = ErrorCode::McpTool, .message = std::move(why)};
}

Error bad_list(std::string why) {
  return {.code = ErrorCode::Mcp,
          .message = "the list of tools cannot be read: " + std::move(why),
          .suggestion = "Report this to the authors of the server."};
}

// What has been read so far.
class Reading {
 public:
  explicit Reading(MirrorArguments mirror) : mirror_(mirror) {}

  Result<void> add_page(const JsonObject& page) {
    const JsonArray* tools = array_field(page, "tools");
    if (tools == nullptr) return bad_list("a page has no `tools`");
    for (const Json& definition : *tools)
      GDN_TRY(add(definition));
    return {};
  }

  // Where the next page begins. `""` is a cursor like any other.
  Result<std::optional<std::string>> next_cursor(const JsonObject& page) {
    const Json* cursor = page.if_contains("nextCursor");
    if (cursor == nullptr || cursor->is_null()) return std::optional<std::string>();
    if (!cursor->is_string()) return bad_list("`nextCursor` is no text");
    std::string text(cursor->get_string());
    if (!cursors_.insert(text).second) {
      return bad_list("the cursor '" + clean_text(text, kMaxShownName) + "' comes a second time");
    }
    if (cursors_.size() >= kMaxPages) {
      return bad_list("it has more than " + std::to_string(kMaxPages) + " pages");
    }
    return std::optional(std::move(text));
  }

  ToolList take() { return std::move(list_); }

 private:
  Result<void> add(const Json& definition) {
    bytes_ += to_text(definition).size();
    if (list_.tools.size() + list_.dropped.size() >= kMaxTools || bytes_ > kMaxToolListBytes) {
      return Error{.code = ErrorCode::Limit,
                   .message = "the list of tools is longer than " + std::to_string(kMaxTools) +
                              " tools or " + std::to_string(kMaxToolListBytes) + " bytes"};
    }
    Result<ToolInfo> tool = read_tool(definition, mirror_);
    if (tool.ok()) {
      list_.tools.push_back(*std::move(tool));
    } else {
      const std::string name = text_field(object_or_empty(definition), "name");
      list_.dropped.push_back("'" + clean_text(name, kMaxShownName) + "': " + tool.error().message);
    }
    return {};
  }

  MirrorArguments mirror_;
  ToolList list_;
  std::set<std::string> cursors_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<ToolInfo> read_tool(const Json& definition, MirrorArguments mirror) {
  const JsonObject* object = definition.if_object();
  if (object == nullptr) return unusable("the definition is no object");
  ToolInfo tool{.name = text_field(*object, "name")};
  if (tool.name.empty()) return unusable("it has no name");
  if (tool.name.size() > kMaxToolNameBytes) return unusable("its name is too long");
  const JsonObject* schema = object_field(*object, "inputSchema");
  if (schema == nullptr) return unusable("its `inputSchema` is no object");
  if (schema->contains("type") && text_field(*schema, "type") != "object") {
    return unusable("its `inputSchema` is not of the type 'object'");
  }
  if (to_text(definition).size() > kMaxToolBytes) {
    return unusable("its definition is longer than " + std::to_string(kMaxToolBytes) + " bytes");
  }
  if (mirror == MirrorArguments::Yes) {
    const Result<std::vector<HeaderParam>> params = header_params(*schema);
    if (!params.ok()) return unusable(params.error().message);
  }
  tool.input_schema = *schema;
  tool.description = text_field(*object, "description");
  tool.title = text_field(*object, "title");
  if (const JsonObject* annotations = object_field(*object, "annotations")) {
    tool.annotations = *annotations;
    if (tool.title.empty()) tool.title = text_field(*annotations, "title");
  }
  if (const JsonObject* output = object_field(*object, "outputSchema"))
    tool.output_schema = *output;
  tool.raw = definition;
  return tool;
}

Result<ToolList> read_tools(const AskPage& ask, MirrorArguments mirror) {
  Reading reading(mirror);
  std::optional<std::string> cursor;
  do {
    JsonObject params;
    if (cursor) params["cursor"] = *cursor;
    const JsonObject page = GDN_TRY(ask(std::move(params)));
    GDN_TRY(reading.add_page(page));
    cursor = GDN_TRY(reading.next_cursor(page));
  } while (cursor);
  return reading.take();
}

}  // namespace goondan::mcp
