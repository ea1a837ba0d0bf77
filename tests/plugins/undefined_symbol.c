/* A plugin that needs a function which nobody has. */
#include <goondan/plugin_abi.h>

extern int function_that_nobody_defines(void);

const gdn_plugin* gdn_plugin_entry(void) {
  return function_that_nobody_defines() != 0 ? NULL : NULL;
}
