#include "oauth/secret.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sodium.h>
#include <utility>

namespace goondan::oauth {
namespace {

// Guarded memory, or the end of this work: there is no other place for a secret.
char* secret_memory(std::size_t size) {
  if (size == 0) return nullptr;
  static const bool ready = ::sodium_init() >= 0;
  void* const memory = ready ? ::sodium_malloc(size) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

}  // namespace

Secret::Secret(std::string_view text) : Secret(of_size(text.size())) {
  if (!text.empty()) std::memcpy(text_, text.data(), text.size());
}

Secret Secret::of_size(std::size_t size) {
  Secret secret;
  secret.text_ = secret_memory(size);
  secret.size_ = size;
  return secret;
}

Secret Secret::taken_from(std::string& text) {
  Secret secret{std::string_view(text)};
  text.resize(text.capacity());  // an earlier, longer text may be behind its end
  ::sodium_memzero(text.data(), text.size());
  text.clear();
  return secret;
}

Secret::Secret(Secret&& other) noexcept
    : text_(std::exchange(other.text_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
  std::swap(text_, other.text_);
  std::swap(size_, other.size_);
  Secret(std::move(other));  // what was here ends now, not when `other` does
  return *this;
}

Secret::~Secret() {
  ::sodium_free(text_);
}

void Secret::shorten(std::size_t size) {
  if (size >= size_) return;
  ::sodium_memzero(text_ + size, size_ - size);
  size_ = size;
}

bool Secret::same_as(std::string_view other) const {
  return size_ == other.size() && (size_ == 0 || ::sodium_memcmp(text_, other.data(), size_) == 0);
}

}  // namespace goondan::oauth
