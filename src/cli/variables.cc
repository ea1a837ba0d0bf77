#include "cli/variables.h"

namespace goondan::cli {

ValueSource::Environment variables_of(const std::vector<std::string>& entries) {
  ValueSource::Environment map;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos)
      map.insert_or_assign(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return map;
}

}  // namespace goondan::cli
