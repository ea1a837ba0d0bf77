#include "agent/zygote_main.h"

namespace goondan::agent {

int run_zygote(int, char**, const store::CommitHook&) {
  return 1;
}

}  // namespace goondan::agent
