#include "cli/view_screen.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/view_width.h"

namespace goondan::cli {
namespace {

// A terminal that takes nothing for so long is stopped or gone; what it misses is lost.
constexpr int kPatienceMs = 1'000;

constexpr std::string_view kHideCursor = "\033[?25l";
constexpr std::string_view kShowCursor = "\033[?25h";
constexpr std::string_view kClearLine = "\033[K";
constexpr std::string_view kClearBelow = "\033[J";

// Columns of a line that may hold colours.
std::size_t painted_columns(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {
      i = std::min(line.find('m', i), line.size());
    } else {
      plain += line[i];
    }
  }
  return columns(plain);
}

}  // namespace

std::size_t Screen::drawn_rows(ScreenSize size) const {
  const std::size_t across = std::max<std::size_t>(size.columns, 1);
  std::size_t rows = 0;
  for (const std::size_t width : widths_)
    rows += width == 0 ? 1 : (width + across - 1) / across;
  return rows;
}

void Screen::show(const std::vector<std::string>& finished, const std::vector<std::string>& live,
                  ScreenSize size) {
  if (finished.empty() && shown_ == Shown::Yes && live == live_) return;
  std::string out(kHideCursor);
  out += '\r';
  const std::size_t rows = drawn_rows(size);
  if (rows > 1) out += "\033[" + std::to_string(rows - 1) + "A";
  for (const std::string& line : finished) {
    out += line;
    out += kClearLine;
    out += '\n';
  }
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (i > 0) out += '\n';
    out += live[i];
    if (i + 1 < live.size()) out += kClearLine;
  }
  out += kClearBelow;
  out += kShowCursor;
  write_(out);
  live_ = live;
  shown_ = Shown::Yes;
  widths_.clear();
  for (const std::string& line : live)
    widths_.push_back(painted_columns(line));
}

void Screen::entered(std::size_t typed) {
  if (widths_.empty()) widths_.push_back(0);
  widths_.back() += typed;
  widths_.push_back(0);
  shown_ = Shown::No;
}

ScreenSize screen_size() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0) return {};
  return {.columns = size.ws_col == 0 ? 80U : size.ws_col,
          .rows = size.ws_row == 0 ? 24U : size.ws_row};
}

void write_to_screen(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (put > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (put < 0 && errno == EAGAIN) {
      pollfd terminal{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
      if (::poll(&terminal, 1, kPatienceMs) != 1) return;
    } else if (put < 0 && errno != EINTR) {
      return;
    }
  }
}

}  // namespace goondan::cli
