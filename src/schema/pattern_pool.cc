#include "schema/pattern_pool.h"

#include <algorithm>

namespace goondan::schema {
namespace {

constexpr std::size_t kMinMemoryEach = std::size_t{256} << 10;
constexpr std::size_t kMaxMemoryEach = std::size_t{4} << 20;

}  // namespace

std::uint32_t PatternPool::add(std::string_view source, Origin origin) {
  const auto next = static_cast<std::uint32_t>(entries_.size());
  const auto [known, added] = by_source_.try_emplace(std::string(source), next);
  if (added) entries_.push_back({std::string(source), std::move(origin)});
  return known->second;
}

Result<std::vector<Pattern>> PatternPool::compile(const SchemaIndex& index,
                                                  std::size_t max_bytes) const {
  std::vector<Pattern> patterns;
  std::size_t instructions = 0;
  const std::size_t share = kMaxPatternMemory / std::max<std::size_t>(entries_.size(), 1);
  const std::size_t memory = std::clamp(share, kMinMemoryEach, kMaxMemoryEach);
  for (const Entry& entry : entries_) {
    const auto failure = [&](std::string_view problem) {
      const Origin& origin = entry.origin;
      return index.error(origin.site, keyword(origin.keyword).name, origin.below, problem);
    };
    if (patterns.size() == kMaxPatterns) {
      return failure("there are more than " + std::to_string(kMaxPatterns) + " patterns");
    }
    if (entry.source.size() > max_bytes) {
      return failure("the pattern has more than " + std::to_string(max_bytes) + " bytes");
    }
    auto pattern = Pattern::compile(entry.source, memory);
    if (!pattern.ok()) return failure(pattern.error().message);
    instructions += pattern->instructions();
    if (instructions > kMaxPatternInstructions) {
      return failure("the patterns are too large together; use smaller repeat counts");
    }
    patterns.push_back(std::move(*pattern));
  }
  return patterns;
}

}  // namespace goondan::schema
