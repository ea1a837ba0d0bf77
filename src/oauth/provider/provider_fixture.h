// A provider on loopback for tests: answers what a test wants, and keeps what it was asked.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/test_server.h"
#include "net/url_encoding.h"
#include "oauth/provider.h"

namespace goondan::oauth::test {

// A request as it came.
struct Seen {
  std::string head = {};  // the request line and the headers
  std::string body = {};

  [[nodiscard]] std::string path() const {
    const std::size_t begin = head.find(' ') + 1;
    return head.substr(begin, head.find(' ', begin) - begin);
  }
  [[nodiscard]] std::map<std::string, std::string> form() const { return parsed(body); }

  static std::map<std::string, std::string> parsed(std::string_view text) {
    std::map<std::string, std::string> fields;
    while (!text.empty()) {
      const std::string_view one = text.substr(0, text.find('&'));
      const std::size_t equals = std::min(one.find('='), one.size());
      fields.emplace(net::percent_decoded(one.substr(0, equals)),
                     net::percent_decoded(one.substr(std::min(equals + 1, one.size()))));
      text.remove_prefix(std::min(one.size() + 1, text.size()));
    }
    return fields;
  }
};

inline std::string json_answer(std::string_view body, std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// Thread-safe.
class FakeProvider {
 public:
  // What is said to requests for `path` from now on; the whole answer, head and body.
  void answer(const std::string& path, std::string answer) {
    const std::scoped_lock lock(mutex_);
    answers_[path] = std::move(answer);
  }

  [[nodiscard]] std::vector<Seen> seen(std::string_view path) const {
    const std::scoped_lock lock(mutex_);
    std::vector<Seen> found;
    std::ranges::copy_if(seen_, std::back_inserter(found),
                         [path](const Seen& one) { return one.path() == path; });
    return found;
  }

  // The last one for `path`; empty if there was none.
  [[nodiscard]] Seen last(std::string_view path) const {
    const std::vector<Seen> all = seen(path);
    return all.empty() ? Seen{} : all.back();
  }

  [[nodiscard]] std::string url(std::string_view path = "") const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + std::string(path);
  }

 private:
  std::string answer_to(const std::string& request) {
    const std::size_t end = request.find("\r\n\r\n") + 4;
    const std::scoped_lock lock(mutex_);
    seen_.push_back({.head = request.substr(0, end), .body = request.substr(end)});
    const auto found = answers_.find(seen_.back().path());
    return found == answers_.end() ? json_answer("{}", "404 Not Found") : found->second;
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::string> answers_;
  std::vector<Seen> seen_;
  net::TestServer server_{
      net::answering([this](const std::string& request) { return answer_to(request); })};
};

inline Limit soon() {
  return {.deadline = Clock::now() + std::chrono::seconds(60)};
}

// An application of `fake` with all endpoints but those for id tokens.
inline App app_of(const FakeProvider& fake) {
  return {.name = "app",
          .provider = "acme",
          .client_id = "cid",
          .client_secret = std::make_shared<const Secret>("csec"),
          .endpoints = {.authorization = fake.url("/authorize"),
                        .token = fake.url("/token"),
                        .revocation = fake.url("/revoke"),
                        .device_authorization = fake.url("/device")},
          .scopes = {"a", "b"},
          .callback_path = "/cb"};
}

template <class T>
const T& value_of(const Answer<T>& answer) {
  if (const auto* error = std::get_if<ProviderError>(&answer)) {
    ADD_FAILURE() << error->code << ": " << error->message;
    std::abort();
  }
  return std::get<T>(answer);
}

template <class T>
ProviderError refused(const Answer<T>& answer) {
  const auto* error = std::get_if<ProviderError>(&answer);
  if (error != nullptr) return *error;
  ADD_FAILURE() << "it was not refused";
  return {.refusal = Refusal::Pending, .code = "was not refused"};
}

}  // namespace goondan::oauth::test
