#!/bin/sh
# Shows a bundle being checked and its tools being called.  usage: demo.sh PATH-TO-GDN
set -u
gdn=$1
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

title() { printf '\n\033[1;36m# %s\033[0m\n' "$*"; }

# Prints the command as a person would type it, runs it, and checks how it ended.
show() {
  expected=$1
  shift
  typed=""
  for word in "$@"; do
    case $word in *=*[\ \&\;]*) word="${word%%=*}='${word#*=}'" ;; esac
    typed="$typed $word"
  done
  printf '\033[1m$ gdn%s\033[0m\n' "$typed"
  "$gdn" "$@"
  code=$?
  if [ "$code" -ne "$expected" ]; then
    printf 'demo: that should have ended with %s, not %s\n' "$expected" "$code" >&2
    exit 1
  fi
}

title "A bundle is a folder with a goondan.yaml. All of it is checked at once."
show 0 validate

title "A mistake is shown where it is, with what to do about it."
cp -r . "$scratch/broken"
sed -i 's/ref: Tool\/text/ref: Tool\/txet/; s/entryAgent: Agent\/writer/entryAgent: Agent\/writter/' "$scratch/broken/goondan.yaml"
show 4 validate "$scratch/broken"

title "What its agent offers, as a model sees it: tools of its own, C++ files that gdn builds when they are called, and built-in ones."
show 0 tools --agent writer
show 0 call text__uppercase text="hello, goondan"

title "Wrong arguments never reach the tool. This is what a model is told:"
show 1 call text__repeat text=ha tmes=3

title "A tool that crashes costs one call: it runs in a process of its own."
show 1 call trouble__crash
title "So does one that never returns."
show 1 call trouble__hang --timeout-ms 500

title "And the next call works."
show 0 call text__repeat text=ha times=3 separator=", " --json

title "Built-in tools need no bundle. A command ends with everything it has started."
show 0 call bash__exec command="sleep 100 & echo working; sleep 100" timeoutMs=300

title "Files stay in the working folder, requests on the public internet."
show 0 call file-system__write path=notes/hello.txt content="hello" --workdir "$scratch"
show 1 call file-system__read path=/etc/passwd
show 1 call http-fetch__get url=http://169.254.169.254/latest/meta-data/

title "Every error code has an explanation, offline."
show 0 explain E_TOOL_CRASH
printf '\nNext: gdn init && gdn new tool hello && gdn call hello__greet name=Mina\n'
