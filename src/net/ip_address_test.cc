#include "net/ip_address.h"

#include <gtest/gtest.h>

namespace goondan::net {
namespace {

std::string text_of(std::string_view text) {
  const std::optional<IpAddress> address = IpAddress::parse(text);
  return address ? address->text() : "none";
}

bool is_global(std::string_view text) {
  const std::optional<IpAddress> address = IpAddress::parse(text);
  EXPECT_TRUE(address) << text;
  return address && is_global_unicast(*address);
}

TEST(IpAddress, ReadsAndWritesTheUsualForms) {
  for (const std::string_view text :
       {"0.0.0.0", "93.184.216.34", "255.255.255.255", "::", "::1", "2606:2800:220:1::1",
        "1::", "fe80::1", "1:2:3:4:5:6:7:8", "::ffff:7f00:1", "1:0:2:3:4:5:6:7"})
    EXPECT_EQ(text_of(text), text);
}

TEST(IpAddress, WritesIpv6InItsShortestForm) {
  EXPECT_EQ(text_of("0:0:0:0:0:0:0:1"), "::1");
  EXPECT_EQ(text_of("2001:DB8:0:0:1:0:0:1"), "2001:db8::1:0:0:1");
  EXPECT_EQ(text_of("1:0:0:2:0:0:0:3"), "1:0:0:2::3");
  EXPECT_EQ(text_of("::ffff:127.0.0.1"), "::ffff:7f00:1");
  EXPECT_EQ(text_of("0001::0002"), "1::2");
}

TEST(IpAddress, IsStrict) {
  for (const std::string_view text :
       {"", "1", "127.1", "127.0.0.01", "0x7f.0.0.1", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ",
        ":::", "1:2", "1::2::3", "::1%eth0", "fe80::1%1", "[::1]", "12345::", "::1.2.3", "name"})
    EXPECT_EQ(text_of(text), "none") << text;
  EXPECT_EQ(text_of(std::string_view("1.2.3.4\0", 8)), "none");
  EXPECT_EQ(text_of(std::string(1000, '1')), "none");
}

// REQ: BLT-4
TEST(IpAddress, KnowsWhatIsPublic) {
  for (const std::string_view text : {"1.1.1.1",
                                      "8.8.8.8",
                                      "93.184.216.34",
                                      "9.255.255.255",
                                      "11.0.0.0",
                                      "100.63.255.255",
                                      "100.128.0.0",
                                      "126.255.255.255",
                                      "128.0.0.0",
                                      "168.63.129.15",
                                      "168.63.129.17",
                                      "169.253.255.255",
                                      "169.255.0.0",
                                      "172.15.255.255",
                                      "172.32.0.0",
                                      "192.0.1.0",
                                      "192.0.3.0",
                                      "192.167.255.255",
                                      "192.169.0.0",
                                      "198.17.255.255",
                                      "198.20.0.0",
                                      "223.255.255.255",
                                      "2606:2800:220:1::1",
                                      "2a00::1",
                                      "2001:200::1",
                                      "2001:db7::1",
                                      "2001:db9::1",
                                      "3ffe::1",
                                      "2000::1",
                                      "::ffff:93.184.216.34",
                                      "64:ff9b::5db8:d822",
                                      "2002:5db8:d822::1"})
    EXPECT_TRUE(is_global(text)) << text;
}

// REQ: BLT-4
TEST(IpAddress, KnowsWhatIsNotPublicInIpv4) {
  for (const std::string_view text :
       {"0.0.0.0",         "0.255.255.255",   "10.0.0.0",     "10.255.255.255",  "100.64.0.0",
        "100.100.100.200", "100.127.255.255", "127.0.0.1",    "127.255.255.255", "168.63.129.16",
        "169.254.0.0",     "169.254.169.254", "172.16.0.0",   "172.31.255.255",  "192.0.0.0",
        "192.0.0.192",     "192.0.2.1",       "192.31.196.1", "192.52.193.1",    "192.88.99.1",
        "192.168.0.1",     "192.168.255.255", "192.175.48.1", "198.18.0.0",      "198.19.255.255",
        "198.51.100.1",    "203.0.113.1",     "224.0.0.0",    "239.255.255.255", "240.0.0.0",
        "255.255.255.255"})
    EXPECT_FALSE(is_global(text)) << text;
}

// REQ: BLT-4
TEST(IpAddress, KnowsWhatIsNotPublicInIpv6) {
  for (const std::string_view text : {"::",
                                      "::1",
                                      "::2",
                                      "::7f00:1",
                                      "::93.184.216.34",  // compatible, long gone
                                      "::ffff:127.0.0.1",
                                      "::ffff:a9fe:a9fe",
                                      "::ffff:10.0.0.1",
                                      "::ffff:0:127.0.0.1",
                                      "64:ff9b::7f00:1",
                                      "64:ff9b::a00:1",
                                      "64:ff9b:1::1",
                                      "64:ff9b:1::5db8:d822",
                                      "100::1",
                                      "1::1",
                                      "2001::1",  // Teredo
                                      "2001:2::1",
                                      "2001:10::1",
                                      "2001:20::1",
                                      "2001:1ff:ffff::1",
                                      "2001:db8::1",
                                      "2002:7f00:1::",
                                      "2002:a9fe:a9fe::",
                                      "2002:a00:1::1",
                                      "2620:4f:8000::1",
                                      "3fff::1",
                                      "3fff:fff::1",
                                      "4000::1",
                                      "5f00::1",
                                      "fc00::1",
                                      "fd00:ec2::254",
                                      "fe80::1",
                                      "febf::1",
                                      "fec0::1",
                                      "ff02::1",
                                      "ffff::1"})
    EXPECT_FALSE(is_global(text)) << text;
}

TEST(IpAddress, TellsWhatAnAddressIsFor) {
  EXPECT_EQ(special_purpose(*IpAddress::parse("127.0.0.1")), "a loopback address");
  EXPECT_EQ(special_purpose(*IpAddress::parse("::ffff:127.0.0.1")), "a loopback address");
  EXPECT_EQ(special_purpose(*IpAddress::parse("fd00::1")), "an address of a private network");
  EXPECT_EQ(special_purpose(*IpAddress::parse("93.184.216.34")), "");
}

}  // namespace
}  // namespace goondan::net
