// Requests that wait for their answers. Their answers come on the streams of their own, but a
// server may also send one on the stream that is there for everything else.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include <goondan/json.h>

namespace goondan::mcp {

// Thread-safe.
class HttpPending {
 public:
  // One request, for as long as it waits. Borrows the `HttpPending`.
  class Ticket {
   public:
    Ticket(HttpPending& all, const Json& id, std::stop_token stop);
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    // Asks to stop when the caller does, and when the answer has come another way.
    [[nodiscard]] std::stop_token stop() const { return source_.get_token(); }
    // What came another way, once.
    [[nodiscard]] std::optional<Json> take();

   private:
    friend class HttpPending;
    struct Forward {
      std::stop_source& source;
      void operator()() const { source.request_stop(); }
    };

    HttpPending& all_;
    const std::string key_;
    std::stop_source source_;
    std::optional<Json> answer_;  // by the mutex of `all_`
    std::stop_callback<Forward> forward_;
  };

  // A response that came on no request's own stream. False: nobody waits for it.
  bool deliver(const Json& message);

 private:
  std::mutex mutex_;
  std::map<std::string, Ticket*> waiting_;
};

}  // namespace goondan::mcp
