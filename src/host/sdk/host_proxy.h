// The runtime as a handler in a plugin sees it: `ToolHost` over the C functions it was given.
#pragma once

#include <goondan/plugin_abi.h>
#include <goondan/tool_context.h>

namespace goondan::plugin {

// Borrows the host. Thread-safe, as the functions of the runtime are.
class HostProxy final : public ToolHost {
 public:
  explicit HostProxy(const gdn_call& call) : HostProxy(call.host, *call.api) {}
  HostProxy(gdn_host* host, const gdn_host_api& api) : host_(host), api_(api) {}

  void log(LogLevel level, std::string_view text) override;
  void progress(const Progress& progress) override;
  Result<Json> request(std::string_view method, const Json& params) override;

 private:
  gdn_host* host_;
  const gdn_host_api& api_;
};

}  // namespace goondan::plugin
