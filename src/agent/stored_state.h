// What an extension keeps, in the database of its instance.
#pragma once

#include <mutex>

#include "extension/extension.h"
#include "store/instance_store.h"

namespace goondan::agent {

// Thread-safe. Borrows the store.
class StoredState final : public ExtensionState {
 public:
  // Reads what was kept. `E_STORE_CORRUPT` if that is no JSON.
  static Result<std::unique_ptr<StoredState>> open(store::InstanceStore& store,
                                                   std::string extension);

  [[nodiscard]] Json get() const override;
  Result<void> set(Json state) override;

 private:
  StoredState(store::InstanceStore& store, std::string extension)
      : store_(store), extension_(std::move(extension)) {}

  store::InstanceStore& store_;
  const std::string extension_;
  mutable std::mutex mutex_;
  Json value_ = nullptr;
  std::string text_;  // of `value_`; empty: nothing was ever kept
};

}  // namespace goondan::agent
