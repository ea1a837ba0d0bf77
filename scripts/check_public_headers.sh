#!/bin/sh
# Each public header compiles alone, as C++20; the C one also as C11.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for header in include/goondan/*.h; do
  echo "#include <goondan/$(basename "$header")>" >"$scratch/alone.cc"
  for compiler in g++ clang++-14 clang++-19; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c++20 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$scratch/alone.cc" ||
      { echo "$header does not stand alone with $compiler"; exit 1; }
  done
done
echo '#include <goondan/plugin_abi.h>' >"$scratch/alone.c"
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$scratch/alone.c"
echo "all public headers stand alone"
