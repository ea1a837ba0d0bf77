// The tests of the orchestrator's processes, in a program that also is the orchestrator and the
// zygote they start.
#include <string_view>

#include <gtest/gtest.h>

#include "orchestrator/fake_zygote.h"
#include "orchestrator/orchestrator_main.h"
#include "os/own_children.h"

int main(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "zygote") return goondan::orchestrator::test::run_fake_zygote(argc, argv);
  if (word == "orchestrator") {
    goondan::os::adopt_orphans();
    return goondan::orchestrator::run_orchestrator(argc, argv);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
