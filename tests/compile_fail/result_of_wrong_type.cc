// A Result of one type is not taken for one of another.
#include <string>

#include <goondan/result.h>

goondan::Result<std::string> text();

#ifdef WRONG
goondan::Result<int> number() {
  return text();
}
#endif
