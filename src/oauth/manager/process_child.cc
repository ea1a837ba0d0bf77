#include "oauth/manager/process_child.h"

#include <csignal>
#include <iostream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "oauth/store/file_calls.h"

namespace goondan::oauth {
namespace {

// Kills the process, as nothing can be caught or tidied then, before a call that changes the disk.
class KillingCalls : public FileCalls {
 public:
  ssize_t write(int file, const char* bytes, std::size_t size) override {
    count();
    return FileCalls::write(file, bytes, size);
  }
  int sync(int file) override {
    count();
    return FileCalls::sync(file);
  }
  int rename_at(int from_folder, const char* from, int to_folder, const char* to,
                unsigned flags) override {
    count();
    return FileCalls::rename_at(from_folder, from, to_folder, to, flags);
  }

  int left = 0;  // 0: no kill

 private:
  void count() {
    if (left > 0 && --left == 0) ::kill(::getpid(), SIGKILL);
  }
};

class NoBrowsers : public RedirectPlace {
 public:
  Result<std::string> redirect_uri(const App&) override {
    return std::string("http://127.0.0.1:1/callback");
  }
  void sessions_changed() override {}
};

Limit child_limit() {
  return {.deadline = Clock::now() + std::chrono::seconds(90), .stop = {}};
}

std::string ask_for_token(Manager& manager) {
  TokenRequest request;
  request.app = "loopback";
  request.auth = loopback_auth();
  return said_by(manager.get_access_token(request, child_limit()));
}

void wait_for_the_others() {
  std::cout << "ready" << std::endl;
  for (char byte = 0; ::read(STDIN_FILENO, &byte, 1) > 0;) {
  }
}

}  // namespace

App loopback_app(std::uint16_t port) {
  App app;
  app.name = "loopback";
  app.provider = "demo";
  app.client_id = "client";
  app.scopes = {"read"};
  app.endpoints.authorization = "http://127.0.0.1:" + std::to_string(port) + "/authorize";
  app.endpoints.token = "http://127.0.0.1:" + std::to_string(port) + "/token";
  app.callback_path = "/callback";
  return app;
}

Json loopback_auth() {
  return JsonObject{{"subjects", JsonObject{{"global", "demo:team:T1"}}}};
}

std::string said_by(const TokenResult& result) {
  if (const auto* ready = std::get_if<TokenReady>(&result))
    return "ready " + std::string(ready->access_token.reveal());
  if (const auto* error = std::get_if<TokenError>(&result))
    return error->code + ": " + error->message;
  return "consent";
}

int run_manager_child(int argc, char** argv) {
  const std::string mode = argv[2];
  const std::filesystem::path folder = argv[3];
  const auto port = static_cast<std::uint16_t>(std::stoi(argv[4]));
  const auto calls = std::make_shared<KillingCalls>();
  StoreHooks hooks;
  hooks.files = calls;
  Result<std::unique_ptr<Store>> store = Store::open(folder, {.file = folder / "key"}, hooks);
  if (!store.ok()) return 3;
  net::HttpClient http;
  NoBrowsers place;
  Manager manager({.apps = {loopback_app(port)},
                   .store = **store,
                   .http = http,
                   .policy = net::HostPolicy({{.host = "127.0.0.1", .port = port}}),
                   .redirects = &place,
                   .redactor = nullptr,
                   .now = {},
                   .provider = {}});
  if (mode == "token") wait_for_the_others();
  if (argc > 5) calls->left = std::stoi(argv[5]);
  if (mode == "exchange") {
    manager.complete({{"state", argv[6]}, {"code", "the-code"}}, child_limit());
  } else {
    std::cout << ask_for_token(manager) << std::endl;
  }
  return 0;
}

}  // namespace goondan::oauth

int main(int argc, char** argv) {
  if (argc > 4 && std::string_view(argv[1]) == "child")
    return goondan::oauth::run_manager_child(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
