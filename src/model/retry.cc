#include "model/retry.h"

#include <array>
#include <charconv>
#include <cmath>

namespace goondan {
namespace {

using std::chrono::milliseconds;

constexpr std::array<int, 7> kFinal{400, 401, 402, 403, 404, 413, 422};

std::optional<milliseconds> positive_time(std::string_view text, double milliseconds_each) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) return {};
  if (!std::isfinite(number) || number < 0) return {};
  const double most = std::chrono::duration<double, std::milli>(kMaxServerWait).count();
  return milliseconds(static_cast<std::int64_t>(std::min(number * milliseconds_each, most)));
}

// The number that `text` has at `at`, `digits` long; -1 if there is none.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  int number = 0;
  const std::string_view part = text.substr(at, digits);
  const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), number);
  return failed == std::errc{} && end == part.data() + digits ? number : -1;
}

unsigned month_of(std::string_view name) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::size_t at = kMonths.find(name);
  return at == std::string_view::npos || at % 3 != 0 ? 0U : static_cast<unsigned>(at / 3) + 1;
}

}  // namespace

Retry retry_after_status(int status, const std::vector<net::Header>& headers) {
  if (std::ranges::find(kFinal, status) != kFinal.end()) return Retry::No;
  const std::string asked = net::to_lower(net::joined_values(headers, "x-should-retry"));
  if (asked == "true") return Retry::Yes;
  if (asked == "false") return Retry::No;
  const bool again = status == 408 || status == 409 || status == 429 || status >= 500;
  return again ? Retry::Yes : Retry::No;
}

Retry retry_after_error(ErrorCode code) {
  switch (code) {
    case ErrorCode::Network:
    case ErrorCode::NetworkTimeout:
    case ErrorCode::HttpResponse:
    case ErrorCode::Model:
    case ErrorCode::ModelBusy:
    case ErrorCode::ModelTimeout:
    case ErrorCode::ModelReply:
      return Retry::Yes;
    default:
      return Retry::No;
  }
}

std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view text) {
  using namespace std::chrono;
  constexpr std::size_t kLength = 29;
  if (text.size() != kLength || !text.ends_with(" GMT")) return {};
  const int day_number = number_at(text, 5, 2);
  const int year_number = number_at(text, 12, 4);
  const int hour = number_at(text, 17, 2);
  const int minute = number_at(text, 20, 2);
  const int second = number_at(text, 23, 2);
  if (day_number < 0 || year_number < 0 || hour < 0 || minute < 0 || second < 0) return {};
  const year_month_day date{year{year_number}, month{month_of(text.substr(8, 3))},
                            day{static_cast<unsigned>(day_number)}};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return {};
  return sys_days{date} + hours(hour) + minutes(minute) + seconds(second);
}

std::optional<milliseconds> server_wait(const std::vector<net::Header>& headers,
                                        std::chrono::system_clock::time_point now) {
  const net::Header* exact = net::find_header(headers, "retry-after-ms");
  if (exact != nullptr) {
    if (const auto time = positive_time(net::trimmed(exact->value), 1)) return time;
  }
  const net::Header* after = net::find_header(headers, "retry-after");
  if (after == nullptr) return {};
  const std::string_view text = net::trimmed(after->value);
  if (const auto time = positive_time(text, 1000)) return time;
  const auto date = parse_http_date(text);
  if (!date) return {};
  using std::chrono::seconds;
  const seconds wait = *date - std::chrono::floor<seconds>(now);
  return std::clamp<seconds>(wait, seconds(0), kMaxServerWait);
}

milliseconds retry_wait(int attempt, milliseconds first, std::optional<milliseconds> asked,
                        double random) {
  constexpr int kMostDoublings = 20;
  const std::int64_t doubled = first.count() << std::clamp(attempt - 1, 0, kMostDoublings);
  const double most = static_cast<double>(std::min<std::int64_t>(doubled, kMaxRetryWait.count()));
  const milliseconds ours(static_cast<std::int64_t>(std::clamp(random, 0.0, 1.0) * most));
  if (!asked) return ours;
  constexpr milliseconds kSpread{1000};
  return *asked + std::min(ours, kSpread);
}

}  // namespace goondan
