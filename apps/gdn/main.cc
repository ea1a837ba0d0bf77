#include "entry.h"

int main(int argc, char** argv) {
  return goondan::run_gdn(argc, argv);
}
