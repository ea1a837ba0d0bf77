#!/bin/sh
# Runs the two agents of this folder and looks at what they did.  usage: demo.sh PATH-TO-GDN
set -eu
gdn=$1
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GOONDAN_STATE_ROOT="$scratch"

title() { printf '\n\033[1;36m# %s\033[0m\n' "$*"; }
show() { printf '\033[1m$ gdn%s\033[0m\n' "$1" && shift && "$gdn" "$@"; }

title "Two agents from one goondan.yaml: a writer, and a reviewer it asks. No key, no network: the models are scripted."
show ' run "Write a haiku about the sea."' run "Write a haiku about the sea."
title "Where the time went, through both agents. (--format otlp for OpenTelemetry)"
show ' trace last' trace last
title "Both conversations are kept; a crash or a restart loses nothing."
show ' instance list' instance list
title "Any tool can be called with no model at all."
show ' call text-transform__case text="no model needed" to=upper' call text-transform__case text="no model needed" to=upper
printf '\nNext: gdn init my-swarm && cd my-swarm && gdn run\n'
