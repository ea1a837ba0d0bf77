// The patterns of one schema: each different one is compiled once, and all share their limits.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>

#include "schema/pattern.h"
#include "schema/schema_index.h"

namespace goondan::schema {

inline constexpr std::size_t kMaxPatterns = 256;
inline constexpr std::size_t kMaxPatternMemory = std::size_t{64} << 20;  // bytes, of all together
inline constexpr std::size_t kMaxPatternInstructions = 200'000;          // of all together

class PatternPool {
 public:
  // Where a pattern is written, for errors: the value of `keyword`, or the name of one of its
  // members.
  struct Origin {
    SiteIndex site = kNone;
    KeywordId keyword = KeywordId::Pattern;
    std::string below = {};
  };

  // The index that the pattern will have.
  std::uint32_t add(std::string_view source, Origin origin);

  Result<std::vector<Pattern>> compile(const SchemaIndex& index, std::size_t max_bytes) const;

 private:
  struct Entry {
    std::string source;
    Origin origin;
  };

  std::vector<Entry> entries_;
  std::map<std::string, std::uint32_t, std::less<>> by_source_;
};

}  // namespace goondan::schema
