// From the tools' definitions to resources, and to handlers in a registry.
#include "builtin/load.h"

#include <unistd.h>

#include <goondan/goondan.h>

#include "builtin/all.h"
#include "builtin/services.h"
#include "policy/environment.h"
#include "resource/check.h"
#include "tool/declared.h"

namespace goondan {
namespace {

using builtin::Definition;
using builtin::Services;

// The entry of a built-in tool is compiled in.
class CompiledIn final : public BundleFiles {
 public:
  [[nodiscard]] Found look(const std::string&) const override { return Found::File; }
  [[nodiscard]] std::vector<std::string> list(const std::string&) const override { return {}; }
};

Result<ToolResource> read_tool_yaml(const Definition& definition) {
  const BundleReport report = check_bundle_files(
      {{.name = "tool.yaml", .text = std::string(definition.yaml)}}, CompiledIn(), {});
  if (report.ok() && report.bundle->tools().size() == 1) return report.bundle->tools().front();
  const std::string why =
      report.diagnostics.empty() ? "not one tool" : report.diagnostics.front().message;
  return Error{.code = ErrorCode::Internal,
               .message = "the built-in tool '" + std::string(definition.name) + "': " + why};
}

// For a registry whose owner has no redactor: the executor will mask nothing then.
Result<Json> masked(const Redactor& redactor, Result<Json> answer) {
  if (answer.ok()) {
    redactor.redact(*answer);
  } else {
    redactor.redact(answer.error());
  }
  return answer;
}

Result<ToolHandler> handler_of(const Definition& definition, const std::string& export_name,
                               const std::shared_ptr<const Services>& services) {
  for (const builtin::Export& exported : definition.exports) {
    if (exported.name != export_name) continue;
    return ToolHandler(
        [services, handle = exported.handle](ToolContext& context, const JsonObject& input) {
          Result<Json> answer = handle(*services, context, input);
          if (services->masking == Services::Masking::ByExecutor) return answer;
          return masked(*services->redactor, std::move(answer));
        });
  }
  return Error{.code = ErrorCode::Internal,
               .message = "the built-in tool '" + std::string(definition.name) +
                          "' has no handler for '" + export_name + "'"};
}

Result<void> add_tool(ToolRegistry& registry, const Definition& definition,
                      const ToolResource& tool, const std::shared_ptr<const Services>& services) {
  for (const ToolExport& exported : tool.exports) {
    ToolHandler handler = GDN_TRY(handler_of(definition, exported.name, services));
    GDN_TRY(registry.add({.item = declared_item(tool, exported),
                          .handler = std::move(handler),
                          .thread = HandlerThread::Caller,
                          .error_message_limit = tool.error_message_limit}));
  }
  return {};
}

bool wanted(const BuiltinOptions& options, std::string_view name) {
  return options.only.empty() || std::ranges::find(options.only, name) != options.only.end();
}

}  // namespace

// In the order of `all_definitions`.
const std::vector<ToolResource>& builtin_tools() {
  static const std::vector<ToolResource> tools = [] {
    std::vector<ToolResource> read;
    for (const Definition& definition : builtin::all_definitions())
      read.push_back(read_tool_yaml(definition).value());  // our own text, tested
    return read;
  }();
  return tools;
}

Result<void> add_builtin_tools(ToolRegistry& registry, const BuiltinOptions& options) {
  const std::shared_ptr<const Services> services = GDN_TRY(builtin::make_services(options));
  const std::vector<Definition> definitions = builtin::all_definitions();
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (!wanted(options, definitions[i].name)) continue;
    GDN_TRY(add_tool(registry, definitions[i], builtin_tools()[i], services));
  }
  return {};
}

std::shared_ptr<Redactor> make_redactor() {
  auto redactor = std::make_shared<Redactor>();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    for (const std::string& secret : secrets_in(text.substr(0, equals), text.substr(equals + 1)))
      redactor->add_secret(secret);
  }
  return redactor;
}

}  // namespace goondan
