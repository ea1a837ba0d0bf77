// Every tool that can be executed, with its handler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <goondan/catalog.h>
#include <goondan/result.h>
#include <goondan/tool.h>

namespace goondan {

struct RegisteredTool {
  CatalogItem item;
  ToolHandler handler;
  HandlerThread thread = HandlerThread::Own;
  std::size_t error_message_limit = kDefaultErrorMessageLimit;  // code points
};

// Thread-safe: tools may be added while calls run; a call keeps the tool it began with.
class ToolRegistry {
 public:
  // A tool as it is kept: immutable, alive for as long as a call uses it.
  struct Entry {
    std::shared_ptr<const CatalogEntry> catalog_entry;
    ToolHandler handler;
    HandlerThread thread;
    std::size_t error_message_limit;
  };

  ToolRegistry();
  ~ToolRegistry();
  ToolRegistry(const ToolRegistry&) = delete;
  ToolRegistry& operator=(const ToolRegistry&) = delete;

  // Refuses a name that is not a tool name (`E_TOOL_INVALID_NAME`), one that is taken
  // (`E_TOOL_DUPLICATE`, naming both owners), parameters that are no schema (`E_SCHEMA`).
  Result<void> add(RegisteredTool tool);

  // Like `add`, but the owner of a tool may put another in its place.
  Result<void> add_or_replace(RegisteredTool tool);

  // Takes a tool of this owner out; calls that run keep it. Whether there was one.
  bool remove(std::string_view name, const ToolSource& owner);

  [[nodiscard]] std::shared_ptr<const Entry> find(std::string_view name) const;
  [[nodiscard]] std::size_t size() const;
  // Another number after every change.
  [[nodiscard]] std::uint64_t revision() const;

 private:
  enum class IfOwned { Refuse, Replace };
  Result<void> insert(RegisteredTool tool, IfOwned if_owned);
  std::shared_ptr<const ToolCatalog::Snapshot> snapshot() const;
  friend class ToolCatalog;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace goondan
