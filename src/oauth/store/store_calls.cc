// The store as its users see it.
#include <utility>

#include "oauth/store/store_state.h"

namespace goondan::oauth {

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::~Store() = default;

Result<std::optional<Record>> Store::get(const RecordName& name) const {
  return state_->get(name);
}

Result<std::uint64_t> Store::put(const RecordName& name, const Secret& json,
                                 std::uint64_t expected) {
  return state_->put(name, json, expected);
}

Result<void> Store::remove(const RecordName& name) {
  return state_->remove(name);
}

Result<std::vector<RecordName>> Store::list(RecordKind kind) const {
  return state_->list(kind);
}

Result<RecordLock> Store::lock(const RecordName& name, Deadline deadline,
                               const std::stop_token& stop) {
  return state_->lock(name, deadline, stop);
}

Result<std::size_t> Store::rotate_key() {
  return state_->rotate_key();
}

Result<StoreHealth> Store::check() {
  return state_->check();
}

}  // namespace goondan::oauth
