// A failed system call as an `Error`.
#pragma once

#include <string_view>

#include <goondan/error.h>

namespace goondan::os {

// `E_IO`, e.g. "cannot open 'a.txt': No such file or directory". `number` is an `errno`.
Error os_error(std::string_view what, int number);

}  // namespace goondan::os
