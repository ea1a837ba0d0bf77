#include "agent/stored_state.h"

#include "store/stored_json.h"

namespace goondan::agent {

Result<std::unique_ptr<StoredState>> StoredState::open(store::InstanceStore& store,
                                                       std::string extension) {
  auto state = std::unique_ptr<StoredState>(new StoredState(store, std::move(extension)));
  const std::optional<std::string> kept = GDN_TRY(store.extension_state(state->extension_));
  if (!kept) return state;
  state->value_ = GDN_TRY(store::parse_stored(*kept));
  state->text_ = *kept;
  return state;
}

Json StoredState::get() const {
  const std::scoped_lock lock(mutex_);
  return value_;
}

Result<void> StoredState::set(Json state) {
  std::string text = to_text(state);
  if (text.size() > kMaxExtensionState) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the state of extension '" + extension_ + "' has " +
                            std::to_string(text.size()) + " bytes; at most " +
                            std::to_string(kMaxExtensionState) + " are kept",
                 .suggestion = "Keep less, or write it to a file of the workspace."};
  }
  const std::scoped_lock lock(mutex_);
  if (text == text_) return {};
  GDN_TRY(store_.set_extension_state(extension_, text));
  value_ = std::move(state);
  text_ = std::move(text);
  return {};
}

}  // namespace goondan::agent
