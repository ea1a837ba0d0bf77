// From the text of a file to trees of nodes.
#pragma once

#include <vector>

#include "resource/diagnostics.h"
#include "resource/limits.h"
#include "resource/place.h"
#include "resource/source_text.h"
#include "resource/yaml_node.h"

namespace goondan::yaml {

// What is left of the nodes that a bundle may have. Shared by the files of one bundle.
struct NodeBudget {
  std::size_t nodes = kMaxNodes;
};

struct ParsedFile {
  Tree tree;
  std::vector<SourceDocument> documents;  // without the empty ones
  bool complete = true;                   // false: some of the text could not be read
};

// Reads every document of `source`. A mistake is reported once and ends its document; reading goes
// on with the next one. Bounded in time and memory whatever the text is.
ParsedFile parse_file(const SourceText& source, NodeBudget& budget, Diagnostics& diagnostics);

}  // namespace goondan::yaml
