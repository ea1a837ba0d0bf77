#include "soak_options.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace goondan::soak {
namespace {

constexpr std::size_t kShownProblems = 20;

[[noreturn]] void usage() {
  std::fputs("usage: NAME GDN [--short] [--seed N] [--count N]\n", stderr);
  std::exit(2);
}

}  // namespace

SoakOptions read_options(int argc, char** argv, Counts counts) {
  SoakOptions options{.seed = std::random_device{}(), .count = counts.full};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--short") {
      options.count = counts.brief;
    } else if ((word == "--seed" || word == "--count") && i + 1 < argc) {
      (word == "--seed" ? options.seed : options.count) = std::strtoull(argv[++i], nullptr, 10);
    } else if (options.gdn.empty() && !word.starts_with("-")) {
      options.gdn = word;
    } else {
      usage();
    }
  }
  if (options.gdn.empty()) usage();
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  return options;
}

int finish(const SoakOptions& options, const std::string& summary,
           const std::vector<std::string>& problems) {
  for (std::size_t i = 0; i < problems.size() && i < kShownProblems; ++i)
    std::printf("PROBLEM %s\n", problems[i].c_str());
  if (problems.size() > kShownProblems)
    std::printf("PROBLEM … and %zu more\n", problems.size() - kShownProblems);
  std::printf("%s, %zu problems, seed %llu\n", summary.c_str(), problems.size(),
              static_cast<unsigned long long>(options.seed));
  return problems.empty() ? 0 : 1;
}

}  // namespace goondan::soak
