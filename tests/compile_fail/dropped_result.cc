// A dropped error does not compile.
#include <goondan/result.h>

goondan::Result<int> work();

#ifdef WRONG
void caller() {
  work();
}
#endif
