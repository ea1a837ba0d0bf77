// The tests of commands, in a program that is also the command host they use.
#include <string_view>

#include "os/command_host_main.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "command-host")
    return goondan::os::run_command_host(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
