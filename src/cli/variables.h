// The environment of a bundle's values.
#pragma once

#include <string>
#include <vector>

#include <goondan/resources.h>

namespace goondan::cli {

// Of entries `NAME=value`; the last one of a name counts.
ValueSource::Environment variables_of(const std::vector<std::string>& entries);

}  // namespace goondan::cli
