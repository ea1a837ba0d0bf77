// What a server may ask of us: elicitation, sampling, roots. A legacy server asks with requests of
// its own, a modern one with `input_required` results; both are answered here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mcp/client.h"

namespace goondan::mcp {

// How many times one request may be answered with a demand for more input.
inline constexpr int kMaxInputRounds = 10;
// How many things a server may ask for in one round.
inline constexpr std::size_t kMaxInputRequests = 100;

// The capabilities that `services` amount to, as the era writes them.
JsonObject declared_capabilities(const Services& services, Era era);

// The answer to one request: its result, or the error to refuse it with.
struct InputAnswer {
  std::int64_t error = 0;  // a JSON-RPC code; 0: answered
  std::string problem = {};
  Json result = nullptr;
};

InputAnswer answer_input(const Services& services, std::string_view method, const Json& params);

// The params with which a request is repeated that was answered with `required`: `inputResponses`
// and `requestState` as it wants them. `E_MCP` if it asks for what was not declared, or for
// nothing.
Result<JsonObject> params_with_inputs(const Services& services, const JsonObject& params,
                                      const JsonObject& required);

}  // namespace goondan::mcp
