#include "base/ids.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/random.h>
#include <vector>

namespace goondan {

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  std::size_t filled = 0;
  while (filled < bytes) {
    const ssize_t got = ::getrandom(random.data() + filled, bytes - filled, 0);
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes * 2);
  for (const unsigned char byte : random) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string make_id(std::string_view prefix) {
  return std::string(prefix) + random_hex(12);
}

std::string iso_time(std::chrono::system_clock::time_point time) {
  using std::chrono::floor;
  const auto since = time.time_since_epoch();
  const auto seconds = floor<std::chrono::seconds>(since);
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(since - seconds);
  const std::time_t stamp = seconds.count();
  std::tm parts{};
  ::gmtime_r(&stamp, &parts);
  char text[40];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(millis.count()));
  return text;
}

std::string iso_now() {
  return iso_time(std::chrono::system_clock::now());
}

}  // namespace goondan
