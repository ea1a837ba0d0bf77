// A plugin whose static constructor never ends.
#include <unistd.h>

#include <goondan/plugin.h>

namespace {

int wait_for_ever() {
  while (true)
    ::pause();
}

const int kHang = wait_for_ever();

}  // namespace

GDN_PLUGIN()
