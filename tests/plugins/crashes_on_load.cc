// A plugin that does not survive its own static constructor.
#include <signal.h>

#include <goondan/plugin.h>

namespace {

const int kCrash = ::raise(SIGSEGV);

}  // namespace

GDN_PLUGIN()
