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

StepCatalog::StepCatalog(ToolCatalog declared, const ToolCatalog& handle_tools)
    : plain_(std::move(declared)),
      reading_(
          joined(plain_, handle_tools, [](const std::string& name) { return name == kReadTool; })),
      waiting_(
          joined(plain_, handle_tools, [](const std::string& name) { return name != kReadTool; })),
      both_(joined(plain_, handle_tools, [](const std::string&) { return true; })) {}

const ToolCatalog& StepCatalog::of(const Conversation& conversation) const {
  if (conversation.has_cut_result()) return conversation.has_handle() ? both_ : reading_;
  return conversation.has_handle() ? waiting_ : plain_;
}

}  // namespace goondan::agent
