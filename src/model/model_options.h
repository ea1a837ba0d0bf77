// `spec.options` of a Model, as `docs/models.md` describes them.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

#include "net/header.h"

namespace goondan {

inline constexpr int kMostRetries = 20;

// A value.
struct ModelOptions {
  int max_retries = 4;
  std::chrono::milliseconds retry_wait{500};       // the first; each further one is doubled
  std::chrono::milliseconds timeout{600'000};      // for one answer, retries included
  std::chrono::milliseconds idle_timeout{60'000};  // for the server's next bytes
  std::string max_tokens_field = {};               // empty: what the endpoint is likely to know
  enum class Reasoning { Drop, SendBack } reasoning = Reasoning::Drop;
  std::vector<net::Header> headers = {};
  JsonObject request = {};  // fields of every request, under the names of the provider

  // Fails with `E_MODEL_CONFIG`: an unknown option, a value of the wrong type or out of range.
  static Result<ModelOptions> parse(const JsonObject& options);
};

}  // namespace goondan
