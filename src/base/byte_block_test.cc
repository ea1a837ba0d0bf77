#include "base/byte_block.h"

#include <array>

#include <gtest/gtest.h>

namespace goondan {
namespace {

// Each byte value at each place, among others that are plain.
TEST(ByteBlock, KnowsEveryByteAtEveryPlace) {
  for (unsigned value = 0; value < 256; ++value) {
    for (std::size_t place = 0; place < ByteBlock::kSize; ++place) {
      std::array<char, ByteBlock::kSize> bytes{};
      bytes.fill(value == 'x' ? 'y' : 'x');
      bytes[place] = static_cast<char>(value);
      const ByteBlock block(bytes.data());
      const ByteBlock::Mask bit = ByteBlock::Mask{1} << place;
      ASSERT_EQ(block.equal_to(static_cast<char>(value)), bit) << value;
      ASSERT_EQ(block.wide(), value >= 0x80 ? bit : 0) << value;
      ASSERT_EQ(block.control_or_wide(), value >= 0x80 || value < 0x20 ? bit : 0) << value;
      ASSERT_EQ(first_of(bit), place);
    }
  }
}

}  // namespace
}  // namespace goondan
