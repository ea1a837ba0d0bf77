#!/bin/sh
# install.sh FOLDER: the packages of package-lock.json in FOLDER/node_modules, the runtimes also as
# FOLDER/bin/node and FOLDER/bin/bun. FOLDER/installed.json is there once all is done.
#
# The runtimes come as the packages that hold the programs themselves: those that are usually named
# (`node`, `bun`) fetch them with scripts, which npm does not run everywhere without being asked.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
rm -rf installed.json bin
cp "$here/package.json" "$here/package-lock.json" .
timeout -k 10 600 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

# link NAME CANDIDATE...: bin/NAME leads to the one that fits this machine.
link() {
  name=$1
  shift
  for program in "$@"; do
    [ -x "$program" ] || continue
    mkdir -p bin
    ln -sfn "../$program" "bin/$name"
    return 0
  done
  echo "no '$name' for this machine among the packages" >&2
  return 1
}
link node node_modules/node-linux-*/bin/node
link bun node_modules/@oven/bun-linux-*/bin/bun
# Where the usual packages would have put them.
mkdir -p node_modules/node/bin node_modules/bun/bin
ln -sfn ../../../bin/node node_modules/node/bin/node
ln -sfn ../../../bin/bun node_modules/bun/bin/bun.exe
bin/node --version
bin/bun --version
cp package-lock.json installed.json
