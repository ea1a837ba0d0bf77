// A part of what handlers may ask of the runtime that the agent's own process answers.
#pragma once

#include <string_view>

#include <goondan/executor.h>

namespace goondan::agent {

// Thread-safe.
class RuntimeService {
 public:
  virtual ~RuntimeService() = default;
  // Whether `method` is one of its own, such as all that begin with `oauth.`.
  [[nodiscard]] virtual bool serves(std::string_view method) const = 0;
  virtual Result<Json> request(const CallRuntime::Caller& caller, std::string_view method,
                               const Json& params) = 0;
};

}  // namespace goondan::agent
