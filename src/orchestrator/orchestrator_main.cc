#include "orchestrator/orchestrator_main.h"

namespace goondan::orchestrator {

int run_orchestrator(int, char**, const store::CommitHook&) {
  return 1;
}

}  // namespace goondan::orchestrator
