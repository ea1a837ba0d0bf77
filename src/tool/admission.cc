#include "tool/admission.h"

#include "schema/schema.h"

namespace goondan {
namespace {

constexpr std::size_t kSpelledOutIssues = 5;
constexpr std::size_t kMaxIssues = 100;

std::string joined(const std::vector<std::string>& names) {
  if (names.empty()) return "(none)";
  std::string out;
  for (const std::string& name : names)
    out += (out.empty() ? "" : ", ") + name;
  return out;
}

std::string issue_list(const std::vector<SchemaIssue>& issues) {
  std::string out;
  const std::size_t shown = std::min(issues.size(), kSpelledOutIssues);
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "" : "; ") + issues[i].path + ": " + issues[i].message;
  }
  if (issues.size() > shown) out += "; +" + std::to_string(issues.size() - shown) + " more issues";
  return out;
}

std::string argument_suggestion(const Schema& schema, const std::vector<SchemaIssue>& issues) {
  std::string out;
  for (const SchemaIssue& issue : issues) {
    if (issue.nearest.empty()) continue;
    out += issue.path + ": did you mean " + issue.nearest + "? ";
  }
  return out + "Correct the arguments and call the tool again. required=[" +
         joined(schema.required()) + "], allowed=[" + joined(schema.properties()) + "]";
}

Error invalid_arguments(const std::string& tool, const std::string& detail, std::string suggestion,
                        std::size_t limit) {
  return {.code = ErrorCode::ToolInvalidArgs,
          .message =
              truncate_error_message("Invalid arguments for tool '" + tool + "': " + detail, limit),
          .suggestion = std::move(suggestion)};
}

std::string_view type_name(const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return "null";
    case boost::json::kind::bool_:
      return "boolean";
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
      return "integer";
    case boost::json::kind::double_:
      return "number";
    case boost::json::kind::string:
      return "string";
    case boost::json::kind::array:
      return "array";
    case boost::json::kind::object:
      return "object";
  }
  return "null";
}

Error not_in_catalog(const ToolCatalog& catalog, const ToolCall& call) {
  // The sentence that the specification gives, then the likely slip.
  std::string suggestion =
      "Agent 구성의 spec.tools에 해당 도구를 추가하거나, step 미들웨어에서 동적으로 등록하세요.";
  const std::string near = catalog.nearest_name(call.name);
  if (!near.empty()) suggestion += " Did you mean '" + near + "'?";
  return {.code = ErrorCode::ToolNotInCatalog,
          .message = "Tool '" + truncate_error_message(call.name, 200) +
                     "' is not available in the current Tool Catalog.",
          .suggestion = std::move(suggestion)};
}

Error not_registered(const ToolCall& call) {
  return {.code = ErrorCode::ToolNotFound,
          .message = "Tool '" + truncate_error_message(call.name, 200) + "' is not registered.",
          .suggestion = "Call another tool; this one has no handler in this process."};
}

}  // namespace

std::optional<Error> argument_error(const CatalogEntry& offered, const Json& input,
                                    std::size_t message_limit) {
  if (!input.is_object()) {
    return invalid_arguments(offered.name(),
                             "args: expected object but got " + std::string(type_name(input)),
                             "Send the arguments as one JSON object.", message_limit);
  }
  const Schema* schema = offered.schema();
  if (schema == nullptr || schema->valid(input)) return std::nullopt;
  const std::vector<SchemaIssue> issues = schema->check(input, "args", kMaxIssues);
  return invalid_arguments(offered.name(), issue_list(issues), argument_suggestion(*schema, issues),
                           message_limit);
}

Result<Admission> admit(const ToolCatalog& catalog, const ToolRegistry& registry,
                        const ToolCall& call, RegistryBypass bypass) {
  const CatalogEntry* offered = catalog.find(call.name);
  if (offered == nullptr && bypass == RegistryBypass::Refuse) return not_in_catalog(catalog, call);
  std::shared_ptr<const ToolRegistry::Entry> tool =
      registry.find(offered == nullptr ? call.name : offered->item().handler_name());
  if (offered == nullptr && tool != nullptr) offered = tool->catalog_entry.get();
  if (offered == nullptr) return not_registered(call);

  const std::size_t limit = tool ? tool->error_message_limit : kDefaultErrorMessageLimit;
  if (!call.input_problem.empty()) {
    return invalid_arguments(call.name, "args: " + call.input_problem,
                             "Send the arguments as one JSON object.", limit);
  }
  if (std::optional<Error> error = argument_error(*offered, call.input, limit)) {
    return *std::move(error);
  }
  if (tool == nullptr || !tool->handler) return not_registered(call);
  return Admission{.offered = offered, .tool = std::move(tool)};
}

}  // namespace goondan
