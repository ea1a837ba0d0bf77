#include "mcp/http_session.h"

#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "mcp/header_value.h"

namespace goondan::mcp {
namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

// The version that a message of the modern era states; empty for others.
std::string stated_version(const JsonObject& params) {
  const JsonObject* meta = object_field(params, "_meta");
  return meta == nullptr ? std::string() : text_field(*meta, kVersionKey);
}

// What `Mcp-Name` repeats for `method`; null if it has none.
const char* name_key(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method.starts_with("tasks/")) return "taskId";
  return nullptr;
}

void add_modern(std::vector<net::Header>& headers, const JsonObject& message,
                const JsonObject& params) {
  const std::string method = text_field(message, "method");
  headers.push_back({"Mcp-Method", header_value(method)});
  const char* key = name_key(method);
  const Json* name = key == nullptr ? nullptr : params.if_contains(key);
  if (name != nullptr && name->is_string()) {
    headers.push_back({"Mcp-Name", header_value(name->as_string())});
  }
}

}  // namespace

void HttpSession::set_era(Era era, std::string protocol_version) {
  const std::scoped_lock lock(mutex_);
  era_ = era;
  version_ = std::move(protocol_version);
}

Era HttpSession::era() const {
  const std::scoped_lock lock(mutex_);
  return era_;
}

std::vector<net::Header> HttpSession::post_headers(const Json& message) const {
  std::vector<net::Header> headers = {{"Accept", "application/json, text/event-stream"},
                                      {"Content-Type", "application/json"}};
  const JsonObject& object = object_or_empty(message);
  const JsonObject* given = object_field(object, "params");
  const JsonObject& params = given != nullptr ? *given : object_or_empty(nullptr);
  const std::string stated = stated_version(params);
  const std::scoped_lock lock(mutex_);
  const std::string& version = stated.empty() ? version_ : stated;
  if (!version.empty()) headers.push_back({"MCP-Protocol-Version", header_value(version)});
  if (!stated.empty() || era_ == Era::Modern) {
    add_modern(headers, object, params);
  } else {
    add_session(headers);
  }
  return with_own(std::move(headers));
}

std::vector<net::Header> HttpSession::stream_headers(std::string_view last_id) const {
  std::vector<net::Header> headers = {{"Accept", "text/event-stream"}};
  if (!last_id.empty()) headers.push_back({"Last-Event-ID", std::string(last_id)});
  const std::scoped_lock lock(mutex_);
  if (!version_.empty()) headers.push_back({"MCP-Protocol-Version", header_value(version_)});
  add_session(headers);
  return with_own(std::move(headers));
}

std::optional<std::vector<net::Header>> HttpSession::end_headers() const {
  const std::scoped_lock lock(mutex_);
  if (id_.empty() || over_) return std::nullopt;
  std::vector<net::Header> headers;
  if (!version_.empty()) headers.push_back({"MCP-Protocol-Version", header_value(version_)});
  add_session(headers);
  return with_own(std::move(headers));
}

Result<void> HttpSession::begin(const std::vector<net::Header>& answer) {
  const net::Header* header = net::find_header(answer, "mcp-session-id");
  if (header == nullptr) return {};
  const std::string& id = header->value;
  const bool visible = std::ranges::all_of(id, [](char c) { return c > ' ' && c <= '~'; });
  if (id.empty() || id.size() > kMaxSessionId || !visible) {
    return Error{.code = ErrorCode::Mcp,
                 .message = "the session id of the answer to 'initialize' is none",
                 .suggestion = "Report this to whoever runs the server."};
  }
  const std::scoped_lock lock(mutex_);
  id_ = id;
  return {};
}

void HttpSession::end() {
  const std::scoped_lock lock(mutex_);
  over_ = true;
}

bool HttpSession::begun() const {
  const std::scoped_lock lock(mutex_);
  return !id_.empty();
}

bool HttpSession::over() const {
  const std::scoped_lock lock(mutex_);
  return over_;
}

void HttpSession::add_session(std::vector<net::Header>& headers) const {
  if (!id_.empty() && era_ != Era::Modern) headers.push_back({"Mcp-Session-Id", id_});
}

std::vector<net::Header> HttpSession::with_own(std::vector<net::Header> headers) const {
  const std::size_t ours = headers.size();
  for (const net::Header& header : own_) {
    const auto end = headers.begin() + static_cast<std::ptrdiff_t>(ours);
    const bool taken = std::any_of(headers.begin(), end, [&header](const net::Header& one) {
      return net::same_name(one.name, header.name);
    });
    if (!taken) headers.push_back(header);
  }
  return headers;
}

}  // namespace goondan::mcp
