// Opening a link in the browser of the person at the terminal.
#pragma once

#include <string>

namespace goondan::cli {

// With `xdg-open`, if there is a terminal, a display and that program; else nothing happens. Never
// waits, and the browser stays when we end.
void open_in_browser(const std::string& link);

}  // namespace goondan::cli
