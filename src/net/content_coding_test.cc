#include "net/content_coding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace goondan::net {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ContentCoding, IsKnownByItsNames) {
  EXPECT_THAT(*content_codings("gzip"), ElementsAre(ContentCoding::Gzip));
  EXPECT_THAT(*content_codings(" X-GZip "), ElementsAre(ContentCoding::Gzip));
  EXPECT_THAT(*content_codings("deflate"), ElementsAre(ContentCoding::Deflate));
  EXPECT_THAT(*content_codings("gzip, identity ,,deflate"),
              ElementsAre(ContentCoding::Gzip, ContentCoding::Deflate));
  for (const std::string_view none : {"", "identity", "Identity", " , "}) {
    EXPECT_THAT(*content_codings(none), IsEmpty()) << none;
  }
}

TEST(ContentCoding, ThatCannotBeUndoneIsNamed) {
  for (const std::string name : {"br", "zstd", "compress", "exi"}) {
    EXPECT_THAT(content_codings("gzip, " + name).error().message, HasSubstr("'" + name + "'"));
  }
  const std::string odd = "b r\x1b[31m";
  EXPECT_THAT(content_codings(odd).error().message, Not(HasSubstr(odd)));
  EXPECT_THAT(content_codings(std::string(5000, 'x')).error().message.size(), testing::Lt(300U));
}

TEST(ContentCoding, IsUndoneThreeTimesAtMost) {
  EXPECT_TRUE(content_codings("gzip, gzip, gzip").ok());
  EXPECT_THAT(content_codings("gzip, gzip, gzip, gzip").error().message,
              HasSubstr("more than 3 times"));
}

TEST(ContentCoding, MayBeAskedForIfItCanBeUndone) {
  for (const std::string_view fine : {"", "gzip", "identity", "gzip;q=0.5, deflate ;q=1, x-gzip"}) {
    EXPECT_TRUE(can_decode_all(fine)) << fine;
  }
  for (const std::string_view wrong : {"br", "gzip, br", "gzip, *", "gzip; q=1, zstd;q=0.1"}) {
    EXPECT_FALSE(can_decode_all(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace goondan::net
