// Frames of docs/protocol.md, right and wrong in every way, from a seed.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace goondan::soak {

enum class Speaker { Client, Agent };

// Length and text.
std::string framed(std::string_view text);

// Thread-compatible.
class FrameMaker {
 public:
  explicit FrameMaker(std::uint64_t seed) : random_(seed) {}

  // A frame as `speaker` would send it, changed a little or a lot; some are left as they are.
  std::string next(Speaker speaker);
  // Anything below `end`.
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

 private:
  std::string text(Speaker speaker);
  void change(std::string& text, Speaker speaker);
  std::string_view any(std::span<const std::string_view> list) { return list[below(list.size())]; }

  std::mt19937_64 random_;
};

}  // namespace goondan::soak
