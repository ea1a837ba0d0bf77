// The keys of a store. The newest is the last; which one is in use says the store's index.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "oauth/secret.h"

namespace goondan::oauth {

// What a part of a key is for. No two purposes share a key.
enum class Purpose : unsigned char { Record = 1, Index = 2, FileNames = 3, Id = 4 };

// Tells which key it was; says nothing about the key.
using KeyId = std::array<char, 8>;

std::string hex_of(std::string_view bytes);
std::string hex_of(const KeyId& id);

// Immutable; thread-safe.
class Key {
 public:
  static constexpr std::size_t kSize = 32;

  // `bytes` has `kSize` of them.
  explicit Key(Secret bytes);
  static Key random();

  [[nodiscard]] const KeyId& id() const { return id_; }
  [[nodiscard]] const Secret& bytes() const { return bytes_; }
  // The key for one purpose, `kSize` bytes.
  [[nodiscard]] std::string_view part(Purpose purpose) const;

 private:
  Secret bytes_;
  Secret parts_;
  KeyId id_ = {};
};

class KeyRing {
 public:
  // The text of a key file: a ring as `format` writes it, 64 hexadecimal digits, or 32 bytes.
  static Result<KeyRing> parse(std::string_view text, std::string_view file);
  static KeyRing of(std::shared_ptr<const Key> key);
  [[nodiscard]] Secret format() const;

  [[nodiscard]] std::shared_ptr<const Key> newest() const { return keys_.back(); }
  // Null if it is not in the ring.
  [[nodiscard]] std::shared_ptr<const Key> find(const KeyId& id) const;
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  void add(std::shared_ptr<const Key> key) { keys_.push_back(std::move(key)); }

 private:
  std::vector<std::shared_ptr<const Key>> keys_;  // never empty once it is made
};

}  // namespace goondan::oauth
