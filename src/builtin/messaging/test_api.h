// For tests: an API on loopback that gives scripted answers, and calls of handlers against it.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <vector>

#include "builtin/tool_definition.h"
#include "net/test_server.h"

namespace goondan::builtin::messaging {

// `HTTP/1.1 <status>` with this body.
inline std::string answer(std::string_view status, std::string_view body,
                          std::string_view headers = {}) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

inline std::string json_answer(std::string_view body) {
  return answer("200 OK", body, "Content-Type: application/json\r\n");
}

// An answer that never comes.
inline constexpr std::string_view kSilence = "(silence)";

// Keeps what a handler tells its host.
class RecordingHost final : public ToolHost {
 public:
  void log(LogLevel, std::string_view text) override { logged += std::string(text) + "\n"; }
  void progress(const Progress&) override {}
  Result<Json> request(std::string_view, const Json&) override { return tool_error("none"); }

  std::string logged;
};

// Confined to a test's thread, but for the server's.
class TestApi {
 public:
  // Each request gets the next answer; there must be one.
  explicit TestApi(std::vector<std::string> answers = {})
      : answers_(std::move(answers)),
        server_([this](net::TestConnection& connection) { serve(connection); }) {
    folder_ =
        std::filesystem::temp_directory_path() /
        ("gdn-messaging-" + std::to_string(::getpid()) + "-" + std::to_string(server_.port()));
    std::filesystem::create_directory(folder_);
    folder_ = std::filesystem::canonical(folder_);
    services.http = std::make_shared<net::HttpClient>();
    services.redactor = std::make_shared<Redactor>();
    services.hosts = server_.policy();
  }
  ~TestApi() { std::filesystem::remove_all(folder_); }
  TestApi(const TestApi&) = delete;
  TestApi& operator=(const TestApi&) = delete;

  [[nodiscard]] std::string base() const {
    return "http://127.0.0.1:" + std::to_string(server_.port());
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  // What was asked, each with head and body.
  std::vector<std::string> requests() {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }

  // The last request's body, as JSON.
  Json sent() {
    const std::string request = requests().back();
    return parse_json(request.substr(request.find("\r\n\r\n") + 4)).value();
  }

  std::string read_file(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Result<Json> call(Handler handler, const JsonObject& input) {
    const CallScope scope{.workdir = folder_.string()};
    ToolContext context({.scope = scope,
                         .tool_call_id = "call_1",
                         .deadline = Clock::now() + time,
                         .stop = {},
                         .host = host});
    return handler(services, context, input);
  }

  Services services;
  RecordingHost host;
  std::chrono::milliseconds time = std::chrono::seconds(60);  // what the operator allows a call

 private:
  void serve(net::TestConnection& connection) {
    while (true) {
      std::string request = connection.read_request();
      if (request.empty()) return;
      std::string next;
      {
        const std::scoped_lock lock(mutex_);
        if (requests_.size() < answers_.size()) next = answers_[requests_.size()];
        requests_.push_back(std::move(request));
      }
      if (next == kSilence) return connection.wait_for_end();
      if (next.empty() || !connection.send(next)) return;
    }
  }

  std::mutex mutex_;
  std::vector<std::string> answers_;
  std::vector<std::string> requests_;
  std::filesystem::path folder_;
  net::TestServer server_;  // last: its threads use all of the above
};

}  // namespace goondan::builtin::messaging
