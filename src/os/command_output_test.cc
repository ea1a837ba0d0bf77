#include "os/command_output.h"

#include <cstring>
#include <random>

#include "base/utf8.h"

namespace goondan::os {
namespace {

void write(CommandOutput& output, std::string_view text) {
  while (!text.empty()) {
    const std::span<char> room = output.room();
    const std::size_t count = std::min(room.size(), text.size());
    std::memcpy(room.data(), text.data(), count);
    output.add(count);
    text.remove_prefix(count);
  }
}

std::string kept(std::string_view text, std::size_t max_bytes) {
  CommandOutput output(max_bytes);
  write(output, text);
  return output.text();
}

TEST(CommandOutput, KeepsWhatFits) {
  EXPECT_EQ(kept("", 10), "");
  EXPECT_EQ(kept("abc", 10), "abc");
  EXPECT_EQ(kept("abcdef", 10), "abcdef");
  EXPECT_EQ(kept("abcdefghij", 10), "abcdefghij");
}

TEST(CommandOutput, KeepsBeginningAndEndOfTheRest) {
  EXPECT_EQ(kept("abcdefghijk", 10), "abcde\n... (1 bytes left out) ...\nghijk");
  std::string long_text(1000, 'x');
  long_text += "12345";
  EXPECT_EQ(kept(long_text, 10), "xxxxx\n... (995 bytes left out) ...\n12345");
}

TEST(CommandOutput, SaysHowLongTheStreamWas) {
  CommandOutput output(10);
  write(output, "abcdefghij");
  EXPECT_FALSE(output.cut());
  write(output, "k");
  EXPECT_TRUE(output.cut());
  EXPECT_EQ(output.total(), 11u);
}

TEST(CommandOutput, NeverSplitsACharacter) {
  // Six characters of three bytes; the halves of ten bytes end and begin within one.
  EXPECT_EQ(kept("가나다라마바사아", 20), "가나다\n... (6 bytes left out) ...\n바사아");
  EXPECT_EQ(kept("abcd가efg나hijk", 12), "abcd\n... (9 bytes left out) ...\nhijk");
}

TEST(CommandOutput, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(kept("\377\376a", 10), "\uFFFD\uFFFDa");
  EXPECT_EQ(kept(std::string("a\0b", 3), 10), std::string("a\0b", 3));
}

// REQ: BLT-5
TEST(CommandOutput, ShowsNoHalfOfASecretAtTheGap) {
  Redactor redactor;
  redactor.add_secret("s3cretvalue99longer");
  CommandOutput output(40);
  write(output, "the key is s3cretvalue99longer, s3cretvalue99longer is the key");
  EXPECT_EQ(output.text(redactor),
            "the key is [redacted]\n... (22 bytes left out) ...\n[redacted] is the key");
}

// REQ: BLT-3
TEST(CommandOutput, IsValidAndBoundedForAnyBytes) {
  std::mt19937 random(20240611);
  for (int round = 0; round < 500; ++round) {
    CommandOutput output(2 + random() % 40);
    std::string all;
    for (std::size_t i = random() % 200; i > 0; --i)
      all.push_back(static_cast<char>(random()));
    write(output, all);
    const std::string text = output.text();
    EXPECT_TRUE(utf8::valid(text));
    EXPECT_LE(text.size(), 3u * 40 + 40);
    EXPECT_EQ(output.total(), all.size());
  }
}

}  // namespace
}  // namespace goondan::os
