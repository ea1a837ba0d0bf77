// Functions of a library that is opened at run time.
#pragma once

#include <dlfcn.h>

namespace goondan::os {

// Looks `name` up in a library that `dlopen` gave; notes in `missing` the first that is not there.
template <class Function>
void find_shared_function(void* library, const char* name, Function& function,
                          const char*& missing) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr && missing == nullptr) missing = name;
}

}  // namespace goondan::os
