// What differs between the providers that are reached over HTTP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <goondan/result.h>

#include "model/model.h"
#include "model/reply_reader.h"
#include "model/wire_names.h"
#include "net/header.h"

namespace goondan {

// Immutable, so thread-safe.
class Provider {
 public:
  virtual ~Provider() = default;

  [[nodiscard]] virtual std::string name() const = 0;

  // `key` empty: none is needed.
  [[nodiscard]] virtual std::vector<net::Header> headers(const std::string& key) const = 0;

  // The JSON text of a request. Fails with `E_MODEL_CONFIG`: a parameter that may not be set.
  [[nodiscard]] virtual Result<std::string> body(const ModelRequest& request,
                                                 const WireNames& names) const = 0;

  // For one answer; borrows the names.
  [[nodiscard]] virtual std::unique_ptr<ReplyReader> reader(const WireNames& names) const = 0;
};

}  // namespace goondan
