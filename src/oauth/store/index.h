// Which records there are, and how new each must be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "oauth/store/key_ring.h"
#include "oauth/store/store.h"

namespace goondan::oauth {

// A value. An older file than `records` says is a restored one. A newer one is right: a `put` was
// ended between its two files; it is newer than `last` by one at most, since each `put` first makes
// up for the one before.
struct Index {
  std::array<char, 32> lock_key = {};  // hashes names into locks; stays when the keys change
  std::uint64_t last = 0;              // the last generation of any record, of removed ones, too
  std::map<RecordName, std::uint64_t> records = {};

  friend bool operator==(const Index&, const Index&) = default;
};

std::string encode_index(const Index& index);
// None if the bytes are no index.
std::optional<Index> decode_index(std::string_view bytes);

std::string seal_index(const Key& key, const Index& index);

// A new one: no records, a random lock key.
Index new_index();

}  // namespace goondan::oauth
