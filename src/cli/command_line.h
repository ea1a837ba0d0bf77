// The command line of `gdn`, word by word.
#pragma once

namespace goondan::cli {

// Reads the words, runs the command, returns the exit code.
int run(int argc, char** argv);

}  // namespace goondan::cli
