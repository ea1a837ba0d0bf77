// A record as a file: its name in the folder, and its sealed bytes. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <goondan/result.h>

#include "oauth/store/key_ring.h"
#include "oauth/store/store.h"

namespace goondan::oauth {

inline constexpr std::size_t kMaxRecordText = std::size_t{1} << 20;
inline constexpr std::size_t kMaxNamePart = 4096;
inline constexpr std::size_t kMaxRecordFile = kMaxRecordText + 4096;

// `E_LIMIT` if a part of the name or the text is too long to be stored.
Result<void> check_limits(const RecordName& name, const Secret& json);

// Kind, app and key, so that no two names give the same bytes.
std::string name_bytes(const RecordName& name);

// 64 hexadecimal digits that only the key can connect with the name.
std::string file_name(const Key& key, const RecordName& name);

// The size of the result is that of the text, up to the next 256 bytes.
std::string seal_record(const Key& key, const RecordName& name, const Secret& json,
                        std::uint64_t generation);

// None if the bytes are not what `seal_record` made with this key for this name.
std::optional<Record> unseal_record(const Key& key, const RecordName& name, std::string_view bytes);

}  // namespace goondan::oauth
