// The messages that wait for an agent's turn-taking thread, in the order they came.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <goondan/tool_context.h>

#include "extension/turn_message.h"
#include "ipc/message.h"

namespace goondan::agent {

// A message to run a turn for, and how to answer it.
struct Delivery {
  TurnMessage message = {};
  ipc::MessageType answer = ipc::MessageType::Event;  // or `DelegateResult`
  std::string correlation_id = {};
  std::optional<Error> problem = {};  // why the message cannot be read; `message` has its id only
};

// Thread-safe: one thread takes, any thread puts.
class Inbox {
 public:
  struct Injections {};  // some wait in the store
  struct Quiet {};       // nothing has come for the time one wanted to wait
  struct Closed {};
  using Next = std::variant<Delivery, Injections, Quiet, Closed>;

  void put(Delivery delivery);
  // Something waits in the store that a turn of its own should take up, if no other does.
  void note_injections();
  // The same for one that has just come: it is to be acknowledged when the turn that used it is
  // over.
  void note_injection(std::string id);
  // Those that have come, and have not been given out here before.
  std::vector<std::string> take_injected();
  // Nothing more is given out, also not what waits already.
  void close();

  // Waits for the next piece of work. Messages come before injections: a turn takes those along.
  Next take(Deadline until = Deadline::max());
  [[nodiscard]] bool closed() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Delivery> deliveries_;
  std::vector<std::string> injected_;
  bool injections_ = false;
  bool closed_ = false;
};

}  // namespace goondan::agent
