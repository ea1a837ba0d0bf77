#include "agent/step_catalog.h"

#include "agent/large_results.h"

namespace goondan::agent {
namespace {

template <class Keep>
ToolCatalog joined(const ToolCatalog& declared, const ToolCatalog& more, const Keep& keep) {
  std::vector<ToolCatalog::EntryPtr> entries(declared.entries().begin(), declared.entries().end());
  for (const ToolCatalog::EntryPtr& entry : more.entries()) {
    if (!declared.contains(entry->name()) && keep(entry->name())) entries.push_back(entry);
  }
  return ToolCatalog(entries);
}

}  // namespace

StepCatalog::StepCatalog(ToolCatalog declared, ToolCatalog handle_tools,
                         const ToolRegistry& registry)
    : declared_(std::move(declared)), handle_tools_(std::move(handle_tools)), registry_(registry) {
  build();
}

void StepCatalog::build() {
  revision_ = registry_.revision();
  const auto dynamic = ToolCatalog(registry_).filtered(
      [](const CatalogItem& item) { return item.source.type != ToolSourceType::Config; });
  plain_ = dynamic.size() == 0
               ? declared_
               : joined(declared_, dynamic, [](const std::string&) { return true; });
  const auto reads = [](const std::string& name) { return name == kReadTool; };
  reading_ = joined(plain_, handle_tools_, reads);
  waiting_ = joined(plain_, handle_tools_, [&](const std::string& name) { return !reads(name); });
  both_ = joined(plain_, handle_tools_, [](const std::string&) { return true; });
}

const ToolCatalog& StepCatalog::of(const Conversation& conversation) {
  if (registry_.revision() != revision_) build();
  if (conversation.has_cut_result()) return conversation.has_handle() ? both_ : reading_;
  return conversation.has_handle() ? waiting_ : plain_;
}

}  // namespace goondan::agent
