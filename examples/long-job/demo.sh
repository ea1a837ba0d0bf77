#!/bin/sh
# Starts a long job, stops everything, completes the job, and lets the agent hear of it.
# usage: demo.sh PATH-TO-GDN
set -eu
gdn=$1
cd "$(dirname "$0")"
GOONDAN_STATE_ROOT=${GOONDAN_STATE_ROOT:-$(mktemp -d)}
export GOONDAN_STATE_ROOT

title() { printf '\n\033[1;36m# %s\033[0m\n' "$*"; }
show() { printf '\033[1m$ gdn%s\033[0m\n' "$(printf ' %s' "$@")" && "$gdn" "$@"; }

title "The agent starts a job that takes longer than a call."
show run "The Sea"
title "Nothing runs any more, but the pending result is kept."
show handles list
handle=$("$gdn" handles list --json | sed 's/.*"handle":"\([^"]*\)".*/\1/')
title "Hours later the render farm reports that it is done."
show handles complete "$handle" --output '{"file":"the-sea.mp4","minutes":94}'
title "With the next run the agent hears of it."
show run </dev/null
