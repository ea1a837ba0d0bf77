#include "cli/progress_line.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "base/log_level.h"
#include "base/utf8.h"
#include "cli/terminal.h"

namespace goondan::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{1000};  // shorter calls show nothing
constexpr milliseconds kRedraw{200};
constexpr std::size_t kBarWidth = 20;

std::string bar(const Progress& progress) {
  if (!(progress.total > 0) || !std::isfinite(progress.done / progress.total)) return "";
  const double share = std::clamp(progress.done / progress.total, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  return " [" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "] " +
         std::to_string(static_cast<int>(share * 100)) + "%";
}

std::string seconds_text(Clock::duration elapsed) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), " %.1fs", std::chrono::duration<double>(elapsed).count());
  return text.data();
}

}  // namespace

ProgressLine::ProgressLine(Show show) : show_(show) {
  if (show_ == Show::LogAndLine) {
    drawer_ = std::jthread([this](const std::stop_token& stop) { keep_drawing(stop); });
  }
}

ProgressLine::~ProgressLine() = default;

void ProgressLine::begin(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  progress_ = {};
  started_ = Clock::now();
  wake_.notify_all();
}

void ProgressLine::end() {
  const std::lock_guard lock(mutex_);
  wipe();
  what_.clear();
}

void ProgressLine::on_start(const ToolCall& call) {
  begin(call.name);
}

void ProgressLine::on_progress(const ToolCall&, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
}

void ProgressLine::on_log(const ToolCall& call, LogLevel level, std::string_view text) {
  const std::lock_guard lock(mutex_);
  wipe();
  print_passing_line(styled("[" + std::string(level_name(level)) + "] " + call.name + ":",
                            level >= LogLevel::Warn ? Style::Yellow : Style::Dim, Stream::Err) +
                     " " + printable(text));
}

void ProgressLine::on_end(const ToolCall&, const ToolCallResult&, std::chrono::nanoseconds) {
  end();
}

void ProgressLine::keep_drawing(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait(lock, stop, [this] { return !what_.empty(); });
    wake_.wait_for(lock, stop, kRedraw, [] { return false; });
    if (!what_.empty() && Clock::now() - started_ > kPatience) draw();
  }
}

void ProgressLine::draw() {
  std::string text = printable(what_) + bar(progress_) + seconds_text(Clock::now() - started_);
  if (!progress_.text.empty()) text += "  " + printable(progress_.text);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::size_t room = terminal_width(Stream::Err) - 1;
  std::fprintf(stderr, "\r\033[K%s", std::string(utf8::prefix(text, room)).c_str());
  std::fflush(stderr);
  line_ = Line::Drawn;
}

void ProgressLine::wipe() {
  if (line_ == Line::None) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  line_ = Line::None;
}

}  // namespace goondan::cli
