#include "mcp/output_checks.h"

#include "base/json_fields.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {
namespace {

constexpr std::size_t kMaxShownIssues = 3;

Error bad_output(const ToolInfo& tool, const std::string& why) {
  return {.code = ErrorCode::Mcp,
          .message = "the result of '" + clean_text(tool.name, 100) + "' " + why,
          .suggestion = "Report this to the authors of the server."};
}

}  // namespace

std::shared_ptr<const Schema> OutputChecks::schema_of(const ToolInfo& tool) {
  const std::lock_guard lock(mutex_);
  const auto found = compiled_.find(tool.name);
  if (found != compiled_.end() && found->second.source == *tool.output_schema) {
    return found->second.schema;
  }
  Result<std::shared_ptr<const Schema>> schema = Schema::compile(*tool.output_schema);
  if (!schema.ok()) {
    log_.write(LogLevel::Warn, "the `outputSchema` of '" + tool.name +
                                   "' is not checked: " + schema.error().message);
  }
  if (compiled_.size() >= kMaxTools) compiled_.clear();
  Compiled compiled{.source = *tool.output_schema,
                    .schema = schema.ok() ? *std::move(schema) : nullptr};
  return compiled_.insert_or_assign(tool.name, std::move(compiled)).first->second.schema;
}

Result<void> OutputChecks::check(const ToolInfo& tool, const JsonObject& result) {
  if (result.contains("content") && array_field(result, "content") == nullptr) {
    return bad_output(tool, "is none: its `content` is no list");
  }
  const Json* structured = result.if_contains("structuredContent");
  if (!tool.output_schema || structured == nullptr || true_field(result, "isError")) return {};
  const std::shared_ptr<const Schema> schema = schema_of(tool);
  if (!schema || schema->valid(*structured)) return {};
  std::string why = "does not fit the tool's `outputSchema`: ";
  std::string_view between;
  for (const SchemaIssue& issue : schema->check(*structured, "result", kMaxShownIssues)) {
    why.append(between).append(issue.path).append(": ").append(issue.message);
    between = "; ";
  }
  return bad_output(tool, why);
}

}  // namespace goondan::mcp
