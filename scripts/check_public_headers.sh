#!/bin/sh
# Each public header compiles alone as C++20, the C one also as C11; where clang is installed, it
# accepts them all too.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
flags="-std=c++20 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only"
for header in include/goondan/*.h; do
  name=goondan/$(basename "$header")
  echo "#include <$name>" >"$scratch/alone.cc"
  echo "#include <$name>" >>"$scratch/all.cc"
  # shellcheck disable=SC2086
  g++ $flags "$scratch/alone.cc" || { echo "$name does not stand alone"; exit 1; }
done
for compiler in clang++-14 clang++-19; do
  command -v $compiler >/dev/null || continue
  # shellcheck disable=SC2086
  $compiler $flags "$scratch/all.cc" || { echo "$compiler refuses the public headers"; exit 1; }
done
echo '#include <goondan/plugin_abi.h>' >"$scratch/alone.c"
gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$scratch/alone.c"
echo "all public headers stand alone"
