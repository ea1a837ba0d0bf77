// What a server says without having been asked: notifications, and the requests of legacy servers.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include "mcp/client.h"
#include "mcp/exchange.h"
#include "mcp/server_log.h"

namespace goondan::mcp {

// Requests of a server that wait for elicitation or sampling; further ones are refused.
inline constexpr std::size_t kMaxWaitingQuestions = 16;

// Thread-safe. Elicitation and sampling take their time: they run one after another on a thread of
// their own, everything else at once.
class ServerMessages {
 public:
  struct Parts {
    const Services& services;
    ServerLog& log;
    const std::function<void()>& on_tools_changed;
  };

  explicit ServerMessages(Parts parts) : parts_(parts) {}
  ~ServerMessages() { close(); }
  ServerMessages(const ServerMessages&) = delete;
  ServerMessages& operator=(const ServerMessages&) = delete;

  // From now on there is someone to send answers to and to give progress to; `nullptr`: no longer.
  void attach(Exchange* exchange);

  void take(const Json& message);

  // Waits for a question that is being answered; no more are answered then.
  void close();

 private:
  void take_notification(std::string_view method, const JsonObject& params);
  void take_request(const JsonObject& request);
  void note(const JsonObject& params);
  void answer(const JsonObject& request);
  void send(const JsonObject& message);
  void queue(const JsonObject& request);
  void work(const std::stop_token& stop);

  Parts parts_;
  std::atomic<Exchange*> exchange_ = nullptr;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<JsonObject> questions_;
  bool closed_ = false;
  std::jthread worker_;  // begins with the first question
};

}  // namespace goondan::mcp
