#include "cli/commands.h"
#include "cli/embedded.h"
#include "cli/terminal.h"

namespace goondan::cli {

ExitCode run_completion(Shell shell) {
  switch (shell) {
    case Shell::Bash:
      print(embedded::kGdnBash);
      break;
    case Shell::Zsh:
      print(embedded::kGdnZsh);
      break;
    case Shell::Fish:
      print(embedded::kGdnFish);
      break;
  }
  return ExitCode::Ok;
}

}  // namespace goondan::cli
