// The terminal below a view: lines that scroll, and a few at the bottom that are redrawn.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace goondan::cli {

struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

// Thread-compatible. Every change is one piece of bytes, given to `write`, so that nothing
// flickers; between changes the terminal is as any program leaves it, the cursor at the end of the
// last line.
class Screen {
 public:
  using Write = std::function<void(std::string_view)>;
  explicit Screen(Write write) : write_(std::move(write)) {}

  // Adds `finished` above and shows `live` below it. Lines hold no breaks and are narrower than the
  // terminal.
  void show(const std::vector<std::string>& finished, const std::vector<std::string>& live,
            ScreenSize size);
  // A person has typed this many columns behind the last line and a line break; both are wiped with
  // the next change.
  void entered(std::size_t columns);

 private:
  [[nodiscard]] std::size_t drawn_rows(ScreenSize size) const;

  Write write_;
  std::vector<std::string> live_;
  std::vector<std::size_t> widths_;  // of `live_`, and of what was typed: how many rows to go up
  enum class Shown { No, Yes } shown_ = Shown::No;  // `live_` is what the terminal shows
};

ScreenSize screen_size();                      // of standard error
void write_to_screen(std::string_view bytes);  // to standard error, all of it

}  // namespace goondan::cli
