#!/bin/sh
# Every source file is formatted as .clang-format (version 14) says.
set -eu
cd "$(dirname "$0")/.."
format=clang-format-14
command -v $format >/dev/null || format=clang-format
find src include apps tests bench examples -name '*.cc' -o -name '*.h' -o -name '*.c' | grep -v /build/ |
  xargs $format --dry-run --Werror
