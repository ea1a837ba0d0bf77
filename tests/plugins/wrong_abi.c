/* Built, it says, for a version that does not exist yet. */
#include <goondan/plugin_abi.h>

static const gdn_plugin plugin = {sizeof(gdn_plugin), 7, 0, NULL};

const gdn_plugin* gdn_plugin_entry(void) {
  return &plugin;
}
