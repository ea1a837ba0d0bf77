// Grants whose agent is yet to be told.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "oauth/manager.h"

namespace goondan::oauth {

inline constexpr std::chrono::seconds kFirstDeliveryPause{1};
inline constexpr std::chrono::seconds kLongestDeliveryPause{30};

// Confined to one thread. Tells once: if only the note that it was told fails, that is tried again.
class Deliveries {
 public:
  using Tell = std::function<Result<void>(const GrantedEvent&)>;
  using Note = std::function<Result<void>(const std::string& session_id)>;

  Deliveries(Tell tell, Note note) : tell_(std::move(tell)), note_(std::move(note)) {}

  // One that is known already is not added again.
  void add(GrantedEvent event, Deadline now);
  void deliver_due(Deadline now);

  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] Deadline next() const;

 private:
  struct Waiting {
    GrantedEvent event;
    enum class Step { Tell, Note } step = Step::Tell;
    Deadline at;
    std::chrono::seconds pause = kFirstDeliveryPause;
  };

  // Whether it is over.
  bool attempt(Waiting& one);

  Tell tell_;
  Note note_;
  std::map<std::string, Waiting> waiting_;  // by session
};

}  // namespace goondan::oauth
