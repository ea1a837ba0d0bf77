// What nearly every file of the library includes; compiled once.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>
