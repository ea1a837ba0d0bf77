#include "os/supervised_child.h"

namespace goondan::os {

Result<Child> spawn_supervised(ChildOptions options) {
  return Child::spawn(options);
}

int run_supervisor(int, char**) {
  return 2;
}

}  // namespace goondan::os
