// What the tests of peers share: a child that behaves as it is told (`tests/support/fake_peer.py`).
#pragma once

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"
#include "host/peer/peer_process.h"

namespace goondan::test {

inline PeerProcessOptions fake_peer(std::string begin = "hello") {
  const std::string script = std::string(GDN_TEST_DATA) + "/../support/fake_peer.py";
  return {.name = "the fake",
          .child = [script, begin]() -> Result<os::ChildOptions> {
            return os::ChildOptions{.argv = {"python3", script, begin}};
          },
          .start_time = std::chrono::seconds(60)};
}

// Remembers what was said outside of calls; thread-safe.
class Hearer final : public PeerListener {
 public:
  void on_notify(const std::string& method, const Json& params) override {
    const std::scoped_lock lock(mutex_);
    heard_.push_back(method + " " + to_text(params));
    changed_.notify_all();
  }
  Result<Json> on_request(const std::string& method, const Json& params) override {
    if (method == "double") return JsonArray{params, params};
    return Error{.code = ErrorCode::NotFound, .message = "no " + method};
  }
  // Waits until something that holds `text` has been said.
  bool heard(std::string_view text, Deadline deadline = soon()) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [&] {
      return std::ranges::any_of(heard_,
                                 [&](const std::string& one) { return one.contains(text); });
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> heard_;
};

// Waits for the other side's note `waiting`, to act in the middle of a call.
class Waiting {
 public:
  void note(const std::string& method) {
    const std::scoped_lock lock(mutex_);
    noted_ = noted_ || method == "waiting";
    changed_.notify_all();
  }
  void await() {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, soon(), [this] { return noted_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool noted_ = false;
};

class PeerTest : public testing::Test {
 protected:
  void SetUp() override { ::setenv("GOONDAN_GDN", worker_path().c_str(), 1); }
  void TearDown() override { ::unsetenv("GOONDAN_GDN"); }

  Result<Json> call(std::string_view method, Json params = nullptr) {
    return peer_->call({.method = method, .params = std::move(params), .deadline = soon()});
  }

  std::shared_ptr<Peer> peer_ = make_peer_process(fake_peer());
};

}  // namespace goondan::test
