// A look at a file before the dynamic linker gets it, for errors that say what is wrong.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <goondan/result.h>

namespace goondan {

// What an ELF header says about the machine, e.g. "x86-64", "aarch64", "32-bit arm"; an unknown
// number as "machine 999". Fails with `E_PLUGIN_LOAD` if `bytes` begin neither a program
// nor a shared library.
Result<std::string> elf_machine(std::string_view bytes);

// Fails with `E_PLUGIN_LOAD` if the file is no shared library or is cut off (the dynamic linker
// would crash), with `E_PLUGIN_ARCHITECTURE` if it is for another machine; the message names both
// machines.
Result<void> check_elf(const std::filesystem::path& path);

}  // namespace goondan
