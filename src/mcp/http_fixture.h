// For tests: an MCP server on loopback that says whatever a test wants, and a transport to it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "mcp/http_transport.h"
#include "net/test_server.h"

namespace goondan::mcp {

inline Json json(std::string_view text) {
  return parse_json(text).value();
}

inline std::string http_answer(std::string_view status, std::string_view type,
                               std::string_view body, std::string_view headers = {}) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + std::string(type) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(headers) +
         "\r\n" + std::string(body);
}

inline std::string json_answer(std::string_view body, std::string_view headers = {}) {
  return http_answer("200 OK", "application/json", body, headers);
}

// The head of a stream whose end is the end of the connection.
inline std::string stream_head(std::string_view headers = {}) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n" +
         std::string(headers) + "\r\n";
}

// A stream that ends as it should, after which the connection can be used again.
inline std::string stream_answer(std::string_view body) {
  return http_answer("200 OK", "text/event-stream; charset=utf-8", body);
}

inline std::string event(std::string_view data, std::string_view id = {}) {
  const std::string name = id.empty() ? "" : "id: " + std::string(id) + "\n";
  return name + "data: " + std::string(data) + "\n\n";
}

// What the request says in this header; `(none)` without it.
inline std::string header_of(const std::string& request, std::string_view name) {
  const std::size_t begin = request.find("\r\n" + std::string(name) + ": ");
  if (begin == std::string::npos || begin > request.find("\r\n\r\n")) return "(none)";
  const std::size_t value = begin + name.size() + 4;
  return request.substr(value, request.find("\r\n", value) - value);
}

inline Json body_of(const std::string& request) {
  return json(request.substr(request.find("\r\n\r\n") + 4));
}

// Remembers its requests; `act` answers each and says whether the connection goes on.
class FakeServer {
 public:
  enum class Then { GoOn, Close };
  using Act = std::function<Then(net::TestConnection&, const std::string& request)>;

  explicit FakeServer(Act act)
      : act_(std::move(act)),
        server_([this](net::TestConnection& connection) { serve(connection); }) {}

  // Answers each request with the text that `answer` makes of it.
  static Act saying(std::function<std::string(const std::string& request)> answer) {
    return [answer = std::move(answer)](net::TestConnection& connection, const std::string& one) {
      connection.send(answer(one));
      return Then::GoOn;
    };
  }
  static Act saying(std::string answer) {
    return saying([answer = std::move(answer)](const std::string&) { return answer; });
  }

  [[nodiscard]] const net::TestServer& net() const { return server_; }

  // The requests so far; waits until there are `count`.
  std::vector<std::string> requests(std::size_t count = 0) {
    std::unique_lock lock(mutex_);
    const bool came =
        come_.wait_for(lock, std::chrono::seconds(60), [&] { return requests_.size() >= count; });
    EXPECT_TRUE(came) << "only " << requests_.size() << " requests";
    return requests_;
  }

 private:
  void serve(net::TestConnection& connection) {
    while (true) {
      const std::string request = connection.read_request();
      if (request.empty()) return;
      {
        const std::scoped_lock lock(mutex_);
        requests_.push_back(request);
      }
      come_.notify_all();
      if (act_(connection, request) == Then::Close) return;
    }
  }

  Act act_;
  std::mutex mutex_;
  std::condition_variable come_;
  std::vector<std::string> requests_;
  net::TestServer server_;
};

// What the transport passes on; any thread.
class Overheard {
 public:
  OnMessage listener() {
    return [this](const Json& message) {
      const std::scoped_lock lock(mutex_);
      messages_.push_back(to_text(message));
      come_.notify_all();
    };
  }

  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        come_.wait_for(lock, std::chrono::seconds(60), [&] { return messages_.size() >= count; }));
    return messages_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable come_;
  std::vector<std::string> messages_;
};

using HeaderList = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<Transport> open_to(const FakeServer& server, HeaderList headers = {},
                                          OnMessage on_message = {}) {
  return open_http({.name = "demo", .url = server.net().url("/mcp").text(), .headers = headers},
                   server.net().policy(), std::move(on_message), {})
      .value();
}

inline Outgoing asking(std::string_view message) {
  return {.message = json(message), .deadline = Clock::now() + std::chrono::seconds(60)};
}

inline constexpr std::string_view kList = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
inline constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})";
inline constexpr std::string_view kListed = R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})";
inline constexpr std::string_view kInitialized = R"({"jsonrpc":"2.0","id":0,"result":{}})";
inline constexpr std::string_view kNotice = R"({"jsonrpc":"2.0","method":"notifications/message"})";

// A transport with a session `s-1`, as after the handshake with a legacy server; `act` answers all
// but the `initialize`.
inline FakeServer::Act after_initialize(FakeServer::Act act) {
  return [act = std::move(act)](net::TestConnection& connection, const std::string& request) {
    if (!request.contains("\"initialize\"")) return act(connection, request);
    connection.send(json_answer(kInitialized, "Mcp-Session-Id: s-1\r\n"));
    return FakeServer::Then::GoOn;
  };
}

inline std::unique_ptr<Transport> open_legacy(const FakeServer& server, OnMessage on_message = {}) {
  std::unique_ptr<Transport> transport = open_to(server, {}, std::move(on_message));
  EXPECT_TRUE(transport->request(asking(kInitialize)).ok());
  transport->set_era(Era::Legacy, "2025-11-25");
  return transport;
}

}  // namespace goondan::mcp
