// The command line and the summary of a soak program, as `soak_support.py` has them for scripts:
// `NAME GDN [--short] [--seed N] [--count N]`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace goondan::soak {

// Memory that sanitizers take is not ours to judge.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kJudgeMemory = false;
#else
inline constexpr bool kJudgeMemory = true;
#endif

struct Counts {
  std::uint64_t full;
  std::uint64_t brief;
};

struct SoakOptions {
  std::string gdn = {};
  std::uint64_t seed = 0;
  std::uint64_t count = 0;
};

// Prints the seed. Ends the program with code 2 if the command line is wrong.
SoakOptions read_options(int argc, char** argv, Counts counts);

// Prints the problems and the summary line; the exit code.
int finish(const SoakOptions& options, const std::string& summary,
           const std::vector<std::string>& problems);

}  // namespace goondan::soak
