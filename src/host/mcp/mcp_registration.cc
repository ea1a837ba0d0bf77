#include "host/mcp/mcp_registration.h"

#include "host/mcp/clean_text.h"
#include "host/mcp/mcp_call.h"

namespace goondan {
namespace {

constexpr std::size_t kMaxShownName = 100;

}  // namespace

McpRegistration::McpRegistration(std::shared_ptr<McpServer> server, std::string extension,
                                 ToolRegistry& registry)
    : server_(std::move(server)),
      source_({.type = ToolSourceType::Mcp,
               .name = extension,
               .mcp_extension = extension,
               .mcp_server = server_->name()}),
      registry_(registry) {}

void McpRegistration::apply(const McpServer::View& view) {
  if (view.listing == nullptr || view.generation == applied_) return;
  applied_ = view.generation;
  disabled_ = view.listing->dropped;
  std::set<std::string_view> wanted;
  for (const auto& tool : view.listing->tools)
    if (tool->disabled.empty()) wanted.insert(tool->visible);
  take_out_all_but(wanted);
  for (const auto& tool : view.listing->tools)
    put_in(tool);
}

// From the end, which is where the registry can do it fast.
void McpRegistration::take_out_all_but(const std::set<std::string_view>& wanted) {
  for (auto at = registered_.end(); at != registered_.begin();) {
    --at;
    if (wanted.contains(at->first)) continue;
    registry_.remove(at->first, source_);
    at = registered_.erase(at);
  }
}

void McpRegistration::put_in(const std::shared_ptr<const McpOfferedTool>& tool) {
  const std::string shown = one_line(tool->info.name, kMaxShownName);
  if (!tool->disabled.empty()) return void(disabled_.emplace_back(shown, tool->disabled));
  const auto at = registered_.find(tool->visible);
  if (at != registered_.end() && at->second == tool->hash) return;
  CatalogItem item{.name = tool->visible, .parameters = tool->schema, .source = source_};
  if (!tool->description.empty()) item.description = tool->description;
  // What the server says of itself (`idempotentHint` ...) is not believed.
  const Result<void> added = registry_.add_or_replace({.item = std::move(item),
                                                       .handler = mcp_tool_handler(server_, tool),
                                                       .thread = HandlerThread::Own});
  if (added.ok()) {
    registered_.insert_or_assign(tool->visible, tool->hash);
    return;
  }
  if (at != registered_.end()) {  // the new schema is none: the old one is not what it takes now
    registry_.remove(tool->visible, source_);
    registered_.erase(at);
  }
  const std::string why = one_line(added.error().message, kMaxMcpDescription);
  server_->parts().log->write(LogLevel::Warn, server_->name(),
                              "tool '" + shown + "' is disabled: " + why);
  disabled_.emplace_back(shown, why);
}

std::vector<std::string> McpRegistration::names() const {
  std::vector<std::string> names;
  for (const auto& [name, hash] : registered_)
    names.push_back(name);
  return names;
}

}  // namespace goondan
