#include "cli/terminal.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

namespace goondan::cli {
namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kAtOnce = PIPE_BUF;
constexpr std::chrono::milliseconds kPatience{50};

int descriptor(Stream stream) {
  return stream == Stream::Out ? STDOUT_FILENO : STDERR_FILENO;
}

// Anything a terminal may take for a command: C0 (but for line break and tab), DEL, C1.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) {
    return character != "\n" && character != "\t" && (first < 0x20 || first == 0x7F);
  }
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kHex[byte >> 4];
  out += kHex[byte & 0xF];
}

void write_to(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace

std::string_view style_code(Style style) {
  switch (style) {
    case Style::Plain:
      return "";
    case Style::Bold:
      return "\033[1m";
    case Style::Dim:
      return "\033[2m";
    case Style::Red:
      return "\033[31m";
    case Style::Green:
      return "\033[32m";
    case Style::Yellow:
      return "\033[33m";
    case Style::Cyan:
      return "\033[36m";
    case Style::Blue:
      return "\033[34m";
    case Style::Magenta:
      return "\033[35m";
  }
  return "";
}

bool is_terminal(Stream stream) {
  return ::isatty(descriptor(stream)) == 1;
}

bool use_colour(Stream stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return is_terminal(stream) && !refused && !dumb;
}

std::size_t terminal_width(Stream stream) {
  winsize size{};
  if (::ioctl(descriptor(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultWidth;
  return size.ws_col;
}

std::string styled(std::string_view text, Style style, Stream stream) {
  if (style == Style::Plain || !use_colour(stream)) return std::string(text);
  return std::string(style_code(style)) + std::string(text) + "\033[0m";
}

void hold_standard_streams() {
  // For reading also where one writes: that output is lost is still told.
  int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (fd >= 0 && fd <= STDERR_FILENO) {
    ::fcntl(fd, F_SETFD, 0);
    fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  if (fd >= 0) ::close(fd);
}

void print(std::string_view text) {
  write_to(stdout, text);
}

void print_line(std::string_view text) {
  print(text);
  print("\n");
}

void print_error_line(std::string_view text) {
  write_to(stderr, text);
  write_to(stderr, "\n");
}

ExitCode finish_output(ExitCode code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  print_error({.code = ErrorCode::Io,
               .message = "standard output could not be written",
               .suggestion = "Check that it is open and that its disk is not full."});
  return code == ExitCode::Ok ? ExitCode::Error : code;
}

void print_passing_line(std::string_view text) {
  // A pipe that is ready takes this much at once without making the writer wait.
  const std::string line = std::string(text.substr(0, kAtOnce - 1)) + "\n";
  pollfd ready{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (::poll(&ready, 1, static_cast<int>(kPatience.count())) == 1 && ready.revents == POLLOUT) {
    write_to(stderr, line);
  }
}

void print_error(const Error& error) {
  // Messages about bundles hold the codes of all their problems already.
  const bool named = error.message.find(error.code_text()) != std::string::npos;
  const std::string code = named ? "" : " [" + std::string(error.code_text()) + "]";
  print_error_line(styled("error:", Style::Red, Stream::Err) + " " + printable(error.message) +
                   styled(code, Style::Dim, Stream::Err));
  if (!error.suggestion.empty()) {
    print_error_line(styled("hint:", Style::Cyan, Stream::Err) + " " + printable(error.suggestion));
  }
}

std::string printable(std::string_view text) {
  const std::string repaired = utf8::repaired(text);
  std::string out;
  out.reserve(repaired.size());
  for (std::string_view rest = repaired; !rest.empty();) {
    const std::string_view character = rest.substr(0, utf8::sequence_length(rest));
    rest.remove_prefix(character.size());
    if (is_control(character)) {
      append_escaped(out, character.back());
    } else {
      out += character;
    }
  }
  return out;
}

}  // namespace goondan::cli
