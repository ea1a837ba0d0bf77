// Processes of their own with one store, and a provider on loopback that they all ask.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "net/test_server.h"
#include "oauth/manager/grant_record.h"
#include "oauth/manager/process_child.h"
#include "os/child.h"

namespace goondan::oauth {

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  std::string read_all() {
    write.reset();
    std::string text;
    for (char byte = 0; ::read(read.get(), &byte, 1) > 0;)
      text += byte;
    return text;
  }
  os::UniqueFd read;
  os::UniqueFd write;
};

// A provider that rotates refresh tokens: the second use of one ends all of them.
class RotatingServer {
 public:
  RotatingServer()
      : server_(net::answering([this](const std::string& request) { return answer(request); })) {}

  [[nodiscard]] std::uint16_t port() const { return server_.port(); }
  [[nodiscard]] net::HostPolicy policy() const { return server_.policy(); }

  std::atomic<int> refreshes = 0;
  std::atomic<int> exchanges = 0;

 private:
  std::string answer(const std::string& request) {
    const std::scoped_lock lock(mutex_);
    if (request.find("grant_type=authorization_code") != std::string::npos) {
      return ++exchanges == 1 ? granted() : refused();
    }
    ++refreshes;
    const bool current =
        !ended_ && request.find("refresh_token=RT" + std::to_string(turn_)) != std::string::npos;
    if (current) ++turn_;
    ended_ = !current;
    return current ? granted() : refused();
  }

  std::string granted() {
    const std::string turn = std::to_string(turn_);
    return net::ok_answer(R"({"access_token": "AT)" + turn + R"(", "refresh_token": "RT)" + turn +
                              R"(", "token_type": "bearer", "expires_in": 3600})",
                          "Content-Type: application/json\r\n");
  }

  static std::string refused() {
    return "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n"
           "Content-Length: 25\r\n\r\n{\"error\":\"invalid_grant\"}";
  }

  std::mutex mutex_;
  int turn_ = 1;
  bool ended_ = false;
  net::TestServer server_;
};

class ProcessTest : public ::testing::Test {
 protected:
  ProcessTest() {
    std::string name = (std::filesystem::temp_directory_path() / "oauth_process_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root = name;
  }
  ~ProcessTest() override { std::filesystem::remove_all(root); }

  // A new store with a token that has expired, of a server with this port.
  void start_over(std::uint16_t port) {
    store.reset();
    std::filesystem::remove_all(folder());
    store = std::move(Store::open(folder(), {.file = folder() / "key"})).value();
    GrantRecord grant;
    grant.app = "loopback";
    grant.provider = "demo";
    grant.client = client_of(loopback_app(port));
    grant.subject = "demo:team:T1";
    grant.scopes = {"read"};
    grant.access_token = Secret("AT1");
    grant.refresh_token = Secret("RT1");
    grant.expires_at = 1000;
    ASSERT_TRUE(store->put(grant_name(), grant.to_text(), 0).ok());
  }

  static RecordName grant_name() {
    return {.kind = RecordKind::Grant, .app = "loopback", .key = "demo:team:T1"};
  }

  [[nodiscard]] std::filesystem::path folder() const { return root / "oauth"; }

  os::Child spawn(std::vector<std::string> arguments, int input, int output) {
    std::vector<std::string> argv{"/proc/self/exe", "child"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return os::Child::spawn({.argv = argv, .fds = {{input, 0}, {output, 1}}}).value();
  }

  // Whether it was killed, and not at its end before.
  bool killed_child(const std::vector<std::string>& arguments) {
    Pipe input;
    Pipe output;
    os::Child child = spawn(arguments, input.read.get(), output.write.get());
    output.read_all();
    const auto status = child.wait(Clock::now() + std::chrono::seconds(60));
    EXPECT_TRUE(status.has_value());
    const bool killed = status->how == os::ExitStatus::How::Signalled;
    EXPECT_TRUE(killed ? status->number == SIGKILL : status->success()) << status->text();
    return killed;
  }

  std::string child_says(const std::vector<std::string>& arguments) {
    Pipe input;
    Pipe output;
    input.write.reset();
    os::Child child = spawn(arguments, input.read.get(), output.write.get());
    return output.read_all();
  }

  std::filesystem::path root;
  std::unique_ptr<Store> store;
};

}  // namespace goondan::oauth
