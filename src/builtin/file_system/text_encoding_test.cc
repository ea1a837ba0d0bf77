#include "builtin/file_system/text_encoding.h"

namespace goondan::builtin::file_system {
namespace {

std::string encoded(std::string_view text, Encoding encoding) {
  const Result<std::string> bytes = encode(text, encoding);
  return bytes.ok() ? *bytes : "error: " + bytes.error().message;
}

TEST(TextEncoding, IsFoundByEachOfItsNames) {
  for (const char* name : {"utf8", "UTF-8", "base64", "base64url", "hex", "latin1", "binary",
                           "ascii", "utf16le", "utf-16le", "UCS2", "ucs-2"})
    EXPECT_TRUE(find_encoding(name)) << name;
  EXPECT_EQ(find_encoding("binary"), Encoding::Latin1);
  EXPECT_FALSE(find_encoding("utf16be"));
  EXPECT_FALSE(find_encoding(""));
}

TEST(TextEncoding, DecodesAsNodeDoes) {
  EXPECT_EQ(decode("h\xC3\xA9\xFF", Encoding::Utf8), "hé\uFFFD");
  EXPECT_EQ(decode("\xFF\xFE\x01", Encoding::Base64), "//4B");
  EXPECT_EQ(decode("\xFF\xFE", Encoding::Base64), "//4=");
  EXPECT_EQ(decode("\xFF\xFE", Encoding::Base64Url), "__4");
  EXPECT_EQ(decode("\xFF\x0A", Encoding::Hex), "ff0a");
  EXPECT_EQ(decode("h\xE9", Encoding::Latin1), "hé");
  EXPECT_EQ(decode("h\xE9", Encoding::Ascii), "hi");
  EXPECT_EQ(decode(std::string_view("h\0\xE9\0\x3D\xD8\x00\xDE", 8), Encoding::Utf16le), "hé😀");
}

TEST(TextEncoding, LeavesHalfACharacterOfUtf16Out) {
  EXPECT_EQ(decode(std::string_view("h\0x", 3), Encoding::Utf16le), "h");
  EXPECT_EQ(decode(std::string_view("h\0\x3D\xD8", 4), Encoding::Utf16le), "h");
  EXPECT_EQ(decode(std::string_view("\x3D\xD8h\0", 4), Encoding::Utf16le), "\uFFFDh");
  EXPECT_EQ(decode(std::string_view("\x00\xDEh\0", 4), Encoding::Utf16le), "\uFFFDh");
}

TEST(TextEncoding, GivesBackTheBytesItWasMadeOf) {
  std::string bytes;
  for (int i = 0; i < 256; ++i)
    bytes += static_cast<char>(i);
  for (const Encoding encoding :
       {Encoding::Base64, Encoding::Base64Url, Encoding::Hex, Encoding::Latin1}) {
    for (std::size_t length : {256u, 255u, 254u, 1u, 0u}) {
      const std::string part = bytes.substr(0, length);
      EXPECT_EQ(encoded(decode(part, encoding), encoding), part);
    }
  }
  EXPECT_EQ(decode(encoded("hé😀", Encoding::Utf16le), Encoding::Utf16le), "hé😀");
}

TEST(TextEncoding, TakesBase64InEveryUsualForm) {
  for (const char* text : {"//4=", "__4=", "//4", "__4", "//\n4=\n", "//4= "})
    EXPECT_EQ(encoded(text, Encoding::Base64), "\xFF\xFE") << text;
}

TEST(TextEncoding, RefusesWhatItCannotSayInsteadOfDroppingIt) {
  EXPECT_EQ(encoded("a*b=", Encoding::Base64),
            "error: 'content' is not base64: wrong at character 2");
  EXPECT_EQ(encoded("abcde", Encoding::Base64),
            "error: 'content' is not base64: wrong at character 5");
  EXPECT_EQ(encoded("abc", Encoding::Hex),
            "error: 'content' is not hex: it needs two digits for each byte");
  EXPECT_EQ(encoded("abxy", Encoding::Hex), "error: 'content' is not hex: wrong near character 3");
  EXPECT_TRUE(encoded("€", Encoding::Latin1).starts_with("error: 'content' holds characters"));
  EXPECT_TRUE(encoded("é", Encoding::Ascii).starts_with("error: 'content' holds characters"));
}

}  // namespace
}  // namespace goondan::builtin::file_system
