#!/bin/sh
# Promises of the type system: none of these files compiles with WRONG defined, and all do without.
set -eu
cd "$(dirname "$0")"
compile="g++ -std=c++20 -Werror=unused-result -I../../include -fsyntax-only"
for file in *.cc; do
  if $compile -DWRONG "$file" 2>/dev/null; then
    echo "$file compiles, and should not"
    exit 1
  fi
  $compile "$file" || { echo "$file is broken for another reason"; exit 1; }
done
echo "none of them compiles"
