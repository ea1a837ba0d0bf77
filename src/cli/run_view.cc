#include "cli/run_view.h"

#include <cstdlib>

#include "cli/terminal.h"
#include "cli/view_live.h"
#include "cli/view_plain.h"

namespace goondan::cli {

ViewKind suitable_view() {
  const char* const term = std::getenv("TERM");
  const bool moves = term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
  return is_terminal(Stream::Err) && moves ? ViewKind::Live : ViewKind::Plain;
}

std::unique_ptr<View> make_view(ViewKind kind, const std::string& usual_key) {
  switch (kind) {
    case ViewKind::Json:
      return std::make_unique<JsonView>();
    case ViewKind::Plain:
      return std::make_unique<PlainView>(usual_key);
    case ViewKind::Live:
      break;
  }
  using Answers = LiveView::Options::Answers;
  return std::make_unique<LiveView>(
      LiveView::Options{.usual_key = usual_key,
                        .paint = use_colour(Stream::Err) ? Paint::On : Paint::Off,
                        .answers = is_terminal(Stream::Out) ? Answers::InLog : Answers::AlsoOut});
}

}  // namespace goondan::cli
