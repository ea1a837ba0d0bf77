// 200,000 URLs made from attacks by small changes. Whatever is let through is read a second time,
// by the C library and by ranges written down independently of `ip_address.cc`.
#include <arpa/inet.h>
#include <array>
#include <cstdio>
#include <random>

#include <gtest/gtest.h>

#include "net/host_policy.h"
#include "net/url.h"

namespace goondan::net {
namespace {

constexpr unsigned kSeed = 20'240'229;
constexpr int kUrls = 200'000;
constexpr int kSpelledAddresses = 20'000;

using Random = std::mt19937;

unsigned below(Random& random, std::size_t end) {
  return static_cast<unsigned>(random() % end);
}

constexpr std::array<std::string_view, 28> kStarts{
    "http://127.0.0.1/",
    "http://localhost/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1%25eth0]/",
    "http://[fd00:ec2::254]:80/",
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://%31%32%37.0.0.1/",
    "http://user:pw@127.0.0.1/",
    "http://127.0.0.1#@good.test/",
    "http:///127.0.0.1/",
    "http:\\\\127.0.0.1/",
    "http://10.0.0.1:8080/a?b#c",
    "http://192.168.0.1./",
    "https://good.test/a/../b?q=%20",
    "http://good.test:443/",
    "http://93.184.216.34/",
    "http://[2606:2800:220:1:248:1893:25c8:1946]/",
    "http://0/",
    "http://172.16.0.1/",
    "https://example.com@10.1.1.1:80/"};

constexpr std::string_view kPieces = "0123456789abcdefx.:/@#?%[]\\-_ \t\r\nZ&=";

constexpr std::array<std::string_view, 16> kTokens{
    "127.0.0.1", "0x7f", "0177", "::", "::ffff:", "%2e", "%00",          "@",
    "//",        "\\",   "[",    "]",  "%25",     ".",   "\xe3\x80\x82", "localhost"};

std::string mutated(Random& random) {
  std::string url(kStarts[below(random, kStarts.size())]);
  for (unsigned change = below(random, 5); change > 0; --change) {
    const std::size_t at = below(random, url.size() + 1);
    switch (below(random, 6)) {
      case 0:
        url.insert(at, 1, kPieces[below(random, kPieces.size())]);
        break;
      case 1:
        url.insert(at, kTokens[below(random, kTokens.size())]);
        break;
      case 2:
        url.erase(at, 1 + below(random, 3));
        break;
      case 3:
        if (at < url.size()) url[at] = kPieces[below(random, kPieces.size())];
        break;
      case 4:
        url.replace(at, 1, std::to_string(random()));
        break;
      default: {
        const std::string_view other = kStarts[below(random, kStarts.size())];
        url = url.substr(0, at) + std::string(other.substr(below(random, other.size())));
      }
    }
  }
  return url;
}

struct Range {
  const char* first;
  const char* last;
};

constexpr Range kNotPublic[] = {
    {"0.0.0.0", "0.255.255.255"},       {"10.0.0.0", "10.255.255.255"},
    {"100.64.0.0", "100.127.255.255"},  {"127.0.0.0", "127.255.255.255"},
    {"168.63.129.16", "168.63.129.16"}, {"169.254.0.0", "169.254.255.255"},
    {"172.16.0.0", "172.31.255.255"},   {"192.0.0.0", "192.0.0.255"},
    {"192.0.2.0", "192.0.2.255"},       {"192.31.196.0", "192.31.196.255"},
    {"192.52.193.0", "192.52.193.255"}, {"192.88.99.0", "192.88.99.255"},
    {"192.168.0.0", "192.168.255.255"}, {"192.175.48.0", "192.175.48.255"},
    {"198.18.0.0", "198.19.255.255"},   {"198.51.100.0", "198.51.100.255"},
    {"203.0.113.0", "203.0.113.255"},   {"224.0.0.0", "255.255.255.255"}};

std::uint32_t number_of(const char* dotted) {
  in_addr address{};
  EXPECT_EQ(::inet_pton(AF_INET, dotted, &address), 1);
  return ntohl(address.s_addr);
}

bool public_v4(std::uint32_t address) {
  for (const Range& range : kNotPublic)
    if (address >= number_of(range.first) && address <= number_of(range.last)) return false;
  return true;
}

bool public_v6(const in6_addr& address) {
  const auto group = [&address](std::size_t i) {
    return static_cast<std::uint32_t>(address.s6_addr[2 * i] * 256 + address.s6_addr[2 * i + 1]);
  };
  const std::uint32_t last = group(6) * 65'536 + group(7);
  const bool no_middle = group(2) + group(3) + group(4) == 0;
  if (IN6_IS_ADDR_V4MAPPED(&address)) return public_v4(last);
  if (group(0) == 0x64 && group(1) == 0xff9b && no_middle && group(5) == 0) return public_v4(last);
  if (group(0) == 0x2002) return public_v4(group(1) * 65'536 + group(2));
  if (group(0) < 0x2000 || group(0) > 0x3fff) return false;
  if (group(0) == 0x2001 && (group(1) < 0x200 || group(1) == 0xdb8)) return false;
  if (group(0) == 0x2620 && group(1) == 0x4f && group(2) == 0x8000) return false;
  return !(group(0) == 0x3fff && group(1) < 0x1000);
}

// How a resolver reads a host: `inet_aton` knows every spelling of an IPv4 address.
bool may_be_connected_to(const std::string& host) {
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) return public_v6(v6);
  in_addr v4{};
  if (::inet_aton(host.c_str(), &v4) == 1) return public_v4(ntohl(v4.s_addr));
  const bool plain =
      host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") == std::string::npos;
  return plain && host.find('.') != std::string::npos && !host.ends_with(".localhost") &&
         !host.ends_with(".internal");
}

// REQ: BLT-4
TEST(MutatedUrls, NeverReachAnAddressThatIsNotPublic) {
  Random random(kSeed);
  const HostPolicy policy;
  int parsed = 0;
  int accepted = 0;
  for (int i = 0; i < kUrls; ++i) {
    const std::string text = mutated(random);
    const Result<Url> url = Url::parse(text);
    if (!url.ok()) continue;
    ++parsed;
    const Result<Url> again = Url::parse(url->text());
    ASSERT_TRUE(again.ok() && *again == *url) << "seed " << kSeed << ", url " << i << ": " << text;
    if (!policy.judge_name(*url).ok()) continue;
    ++accepted;
    ASSERT_TRUE(may_be_connected_to(url->host))
        << "seed " << kSeed << ", url " << i << ": " << text << " as " << url->text();
  }
  std::printf("seed %u: of %d urls %d were parsed and %d accepted\n", kSeed, kUrls, parsed,
              accepted);
  EXPECT_GT(parsed, kUrls / 10);
  EXPECT_GT(accepted, kUrls / 100);
}

std::string spelled(Random& random, std::uint32_t number) {
  std::array<char, 32> text{};
  constexpr std::array<const char*, 5> kForms{"%u", "0x%x", "0%o", "0X%08X", "000%o"};
  // A zero in front is octal, so that the plain forms must not be padded.
  std::snprintf(text.data(), text.size(), kForms[below(random, kForms.size())], number);
  std::string out;
  for (const char c : std::string_view(text.data())) {
    if (below(random, 8) == 0) {
      std::array<char, 4> encoded{};
      std::snprintf(encoded.data(), encoded.size(), "%%%02x", static_cast<unsigned>(c));
      out += encoded.data();
    } else {
      out += c;
    }
  }
  return out;
}

TEST(MutatedUrls, ReadEverySpellingOfAnAddressAsThatAddress) {
  Random random(kSeed);
  for (int i = 0; i < kSpelledAddresses; ++i) {
    const auto address = static_cast<std::uint32_t>(random());
    const unsigned leading = below(random, 4);  // parts of one byte before the last
    std::string host;
    for (unsigned part = 0; part < leading; ++part)
      host += spelled(random, (address >> (24 - 8 * part)) & 0xffU) + ".";
    const std::uint32_t rest = leading == 0 ? 0xffffffffU : (1U << (32 - 8 * leading)) - 1;
    host += spelled(random, address & rest) + (below(random, 4) == 0 ? "." : "");
    const Result<Url> url = Url::parse("http://" + host + "/");
    ASSERT_TRUE(url.ok()) << "seed " << kSeed << ": " << host;
    ASSERT_EQ(number_of(url->host.c_str()), address) << "seed " << kSeed << ": " << host;
    ASSERT_EQ(HostPolicy().judge_name(*url).ok(), public_v4(address)) << host;
  }
}

}  // namespace
}  // namespace goondan::net
