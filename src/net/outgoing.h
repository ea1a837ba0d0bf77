// A request as it goes out on one hop: what the caller asked for, or what a redirect made of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/header.h"
#include "net/url.h"

namespace goondan::net {

// A value; borrows the body from the caller's request.
struct Outgoing {
  std::string method;
  Url url;
  std::vector<Header> headers;
  std::string_view body;

  // For messages: `GET http://host/path`.
  [[nodiscard]] std::string words() const { return method + " " + url.safe_text(); }

  // Whether sending it twice does the same as sending it once (RFC 9110, 9.2.2).
  [[nodiscard]] bool idempotent() const {
    return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" ||
           method == "DELETE";
  }
};

}  // namespace goondan::net
