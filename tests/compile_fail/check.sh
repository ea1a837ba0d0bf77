#!/bin/sh
# Promises of the type system: none of these files compiles, and all do without their last line.
set -eu
cd "$(dirname "$0")"
for file in *.cc; do
  if g++ -std=c++20 -Werror=unused-result -I../../include -fsyntax-only "$file" 2>/dev/null; then
    echo "$file compiles, and should not"
    exit 1
  fi
  sed '$d' "$file" | g++ -std=c++20 -I../../include -I. -fsyntax-only -x c++ - ||
    { echo "$file is broken for another reason"; exit 1; }
done
echo "none of them compiles"
