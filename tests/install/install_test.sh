#!/bin/sh
# Installs to an empty folder and, from outside the tree, builds and runs the examples against it:
# a program that embeds the library, and a plugin made ahead of time.  usage: SOURCE BUILD
set -eu
source=$1
build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix
export GOONDAN_STATE_ROOT="$scratch/state"

cmake --install "$build" --prefix "$prefix" >/dev/null
gdn=$prefix/bin/gdn

cp -r "$source/examples" "$scratch/examples"
cd "$scratch/examples"

cmake -S embed -B embed/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build embed/build >/dev/null
answer=$(embed/build/embed tools-tour)
echo "embed: $answer"
test "$answer" = '{"toolCallId":"1","toolName":"text__uppercase","status":"ok","output":{"text":"HELLO"}}'

cmake -S plugin -B plugin/build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build plugin/build >/dev/null
answer=$("$gdn" call shout__out text=hi --bundle plugin --json)
echo "plugin: $answer"
test "$answer" = '{"toolCallId":"call_1","toolName":"shout__out","status":"ok","output":{"text":"hi!"}}'

mkdir fresh
cd fresh
"$gdn" init >/dev/null
"$gdn" new tool hello >/dev/null
answer=$("$gdn" call hello__greet name=Mina --json)
echo "fresh: $answer"
test "$answer" = '{"toolCallId":"call_1","toolName":"hello__greet","status":"ok","output":{"greeting":"Hello, Mina!"}}'

# The rest needs a program that runs TypeScript.
PATH=$source/build/npm/bin:$PATH
"$gdn" new tool typed --lang ts >/dev/null
grep -q "$prefix/share/goondan/script-host/types/index.d.ts" tsconfig.json
answer=$("$gdn" call typed__greet name=Mina --json)
echo "typed: $answer"
test "$answer" = '{"toolCallId":"call_1","toolName":"typed__greet","status":"ok","output":{"greeting":"Hello, Mina!"}}'
echo "install test passed"
