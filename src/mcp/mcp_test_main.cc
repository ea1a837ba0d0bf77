// The tests of clients over pipes, in a program that is also the supervisor of their servers.
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "os/supervised_child.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "supervise") {
    return goondan::os::run_supervisor(argc, argv);
  }
  ::setenv("GOONDAN_GDN", std::filesystem::read_symlink("/proc/self/exe").c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
