// The one place that names the concrete tools. A new tool is a folder and a line here.
#include "builtin/all.h"

#include "builtin/agents/agents.h"
#include "builtin/bash/bash.h"
#include "builtin/file_system/file_system.h"
#include "builtin/file_toolkit/file_toolkit.h"
#include "builtin/handles/handles.h"
#include "builtin/http_fetch/http_fetch.h"
#include "builtin/json_query/json_query.h"
#include "builtin/self_restart/self_restart.h"
#include "builtin/slack/slack.h"
#include "builtin/swarm_bundle/swarm_bundle.h"
#include "builtin/telegram/telegram.h"
#include "builtin/text_transform/text_transform.h"

namespace goondan::builtin {

std::vector<Definition> all_definitions() {
  return {bash::definition(),       file_system::definition(),    http_fetch::definition(),
          json_query::definition(), text_transform::definition(), agents::definition(),
          handles::definition(),    self_restart::definition(),   telegram::definition(),
          slack::definition(),      file_toolkit::definition(),   swarm_bundle::definition()};
}

}  // namespace goondan::builtin
