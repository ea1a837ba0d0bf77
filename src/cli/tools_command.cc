#include "base/nearest.h"
#include "base/utf8.h"
#include "builtin/load.h"
#include "cli/bundle_choice.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "tool/declared.h"
#include "tool/provider_names.h"

namespace goondan::cli {
namespace {

const Json kNoParameters = {{"type", "object"}, {"properties", JsonObject{}}};

Json described(const CatalogItem& item, const std::string& name, std::string_view schema_key) {
  JsonObject object{{"name", name}};
  if (item.description) object["description"] = *item.description;
  object[schema_key] = item.parameters.value_or(kNoParameters);
  return object;
}

// The item as the named provider wants to see it in a request.
Json provider_json(const CatalogItem& item, const ProviderNames& names, ToolsFormat format) {
  switch (format) {
    case ToolsFormat::OpenAi:
      return {{"type", "function"},
              {"function", described(item, names.to_provider(item.name), "parameters")}};
    case ToolsFormat::Anthropic:
      return described(item, names.to_provider(item.name), "input_schema");
    case ToolsFormat::Mcp:
      return described(item, item.name, "inputSchema");
    case ToolsFormat::Json:
    case ToolsFormat::Text:
    case ToolsFormat::Names:
      break;
  }
  return item.to_json();
}

std::string first_line(std::string_view text, std::size_t width) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (utf8::length(line) <= width) return printable(line);
  return printable(utf8::prefix(line, width > 3 ? width - 3 : 0)) + "...";
}

void print_table(const ToolCatalog& catalog) {
  std::size_t widest = 0;
  for (const auto& entry : catalog.entries())
    widest = std::max(widest, entry->name().size());
  const std::size_t width = std::max<std::size_t>(terminal_width(Stream::Out), widest + 20);
  for (const auto& entry : catalog.entries()) {
    const std::string pad(widest - entry->name().size() + 2, ' ');
    print_line(styled(entry->name(), Style::Bold, Stream::Out) + pad +
               first_line(entry->item().description.value_or(""), width - widest - 2));
  }
}

void print_one(const CatalogItem& item) {
  print_line(styled(item.name, Style::Bold, Stream::Out));
  if (item.description) print_line(printable(*item.description));
  print_line("");
  print_line(to_pretty_text(item.parameters.value_or(kNoParameters)));
}

void print_catalog(const ToolCatalog& catalog, ToolsFormat format) {
  if (format == ToolsFormat::Text) return print_table(catalog);
  const ProviderNames names(catalog);
  JsonArray items;
  for (const auto& entry : catalog.entries()) {
    if (format == ToolsFormat::Names) {
      print_line(entry->name());
    } else {
      items.push_back(provider_json(entry->item(), names, format));
    }
  }
  if (format != ToolsFormat::Names) print_line(to_text(items));
}

Result<const AgentResource*> find_agent(const Bundle& bundle, const std::string& name) {
  if (const AgentResource* agent = bundle.find_agent(name)) return agent;
  std::vector<std::string_view> names;
  std::string list;
  for (const AgentResource& agent : bundle.agents()) {
    names.push_back(agent.meta.name);
    list += (list.empty() ? "" : ", ") + agent.meta.name;
  }
  const std::string_view near = nearest(name, names);
  return Error{.code = ErrorCode::ConfigAgentNotFound,
               .message = "the bundle has no agent '" + name + "'",
               .suggestion = (near.empty() ? "" : "Did you mean " + std::string(near) + "? ") +
                             "Agents: " + (list.empty() ? "(none)" : list) + "."};
}

Result<ToolCatalog> choose_catalog(const ToolsRequest& request) {
  const std::optional<Bundle> bundle = GDN_TRY(choose_bundle(request.bundle));
  if (request.agent && !bundle) {
    return Error{.code = ErrorCode::ConfigFileNotFound,
                 .message = "there is no goondan.yaml in this folder, so there are no agents",
                 .suggestion = "Name the bundle with --bundle DIR, or make one with `gdn init`."};
  }
  if (request.agent) {
    const AgentResource* agent = GDN_TRY(find_agent(*bundle, *request.agent));
    return declared_catalog(*bundle, *agent, builtin_tools());
  }
  return callable_tools(bundle);
}

Result<ExitCode> tools(const ToolsRequest& request) {
  const ToolCatalog catalog = GDN_TRY(choose_catalog(request));
  if (!request.tool) {
    if (catalog.size() == 0) {
      print_error_line("no tools; add `- ref: Tool/<name>` to the agent's spec.tools");
    }
    print_catalog(catalog, request.format);
    return ExitCode::Ok;
  }
  const CatalogEntry* entry = catalog.find(*request.tool);
  if (entry == nullptr) {
    const std::string near = catalog.nearest_name(*request.tool);
    return Error{.code = ErrorCode::NotFound,
                 .message = "there is no tool '" + *request.tool + "'",
                 .suggestion = near.empty()
                                   ? "`gdn tools` lists all tools but those of MCP servers, which "
                                     "`gdn mcp tools SERVER` shows."
                                   : "Did you mean " + near + "?"};
  }
  if (request.format == ToolsFormat::Text) {
    print_one(entry->item());
  } else if (request.format == ToolsFormat::Names) {
    print_line(entry->name());
  } else {
    print_line(to_text(provider_json(entry->item(), ProviderNames(catalog), request.format)));
  }
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_tools(const ToolsRequest& request) {
  const Result<ExitCode> code = tools(request);
  if (code.ok()) return *code;
  print_error(code.error());
  return exit_code_for(code.error().code);
}

}  // namespace goondan::cli
