// What a server says without having been asked: notifications, and the requests of legacy servers.
#pragma once

#include <atomic>

#include "mcp/client.h"
#include "mcp/exchange.h"
#include "mcp/job_line.h"
#include "mcp/server_log.h"

namespace goondan::mcp {

// Requests of a server that wait for elicitation or sampling; further ones are refused.
inline constexpr std::size_t kMaxWaitingQuestions = 16;
// Answers that wait to be sent, which by HTTP takes its time; further ones are not given.
inline constexpr std::size_t kMaxWaitingAnswers = 64;

// Thread-safe. `take` never waits: it is called by whoever reads from the server, who has a
// deadline to keep.
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

  // Waits for what is being answered; nothing more is answered then.
  void close();

 private:
  void take_notification(std::string_view method, const JsonObject& params);
  void take_request(const JsonObject& request);
  void note(const JsonObject& params);
  JsonObject answer_to(const JsonObject& request);
  void reply(JsonObject answer);
  void send(const JsonObject& message);
  void ask_services(const JsonObject& request);

  Parts parts_;
  std::atomic<Exchange*> exchange_ = nullptr;
  JobLine questions_{kMaxWaitingQuestions};
  JobLine answers_{kMaxWaitingAnswers};
};

}  // namespace goondan::mcp
