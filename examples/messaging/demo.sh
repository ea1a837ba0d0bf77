#!/bin/sh
# Calls the messaging tools against pretended services on loopback.  usage: demo.sh PATH-TO-GDN
set -u
gdn=$(realpath "$1")
cd "$(dirname "$0")"
scratch=$(mktemp -d)
slack_id=''
telegram_id=''

finish() {
  for id in $slack_id $telegram_id; do kill "$id" 2>/dev/null; done
  rm -rf "$scratch"
}
trap finish EXIT

# Starts a service and waits for the line that tells where it is.
start() {
  mkfifo "$scratch/$1"
  python3 "../../tests/support/fake_$1.py" >"$scratch/$1" &
  id=$!
  while read -r line; do
    case $line in
      'listening on '*) url=${line#listening on } && return ;;
      'a file: '*) file=${line#a file: } ;;
    esac
  done <"$scratch/$1"
  echo "demo: the pretended $1 did not start" >&2
  exit 1
}

show() {
  expected=$1
  shift
  printf '\033[1m$ gdn %s\033[0m\n' "$*"
  "$gdn" "$@" --workdir "$scratch"
  code=$?
  if [ "$code" -ne "$expected" ]; then
    printf 'demo: that should have ended with %s, not %s\n' "$expected" "$code" >&2
    exit 1
  fi
}

start slack
slack_id=$id slack_url=$url slack_file=$file
start telegram
telegram_id=$id telegram_url=$url
export SLACK_BOT_TOKEN=xoxb-000000000000-fake-token-for-tests
export TELEGRAM_BOT_TOKEN=1000000001:AAFakeTokenForTests_0123456789abcdef
slack="apiBaseUrl=$slack_url/api"
telegram="apiBaseUrl=$telegram_url"
allow="--allow-host=${slack_url#http://} --allow-host=${telegram_url#http://}"

show 0 call slack__send channelId=C01GENERAL text='The build is green' "$slack" $allow
show 0 call slack__react channelId=C01GENERAL messageTs=1700000000.000002 emoji=:tada: "$slack" $allow
show 0 call slack__read channelId=C01GENERAL "$slack" $allow
show 0 call slack__downloadFile url="$slack_file" savePath=slack.txt "$slack" $allow
show 0 call telegram__send chatId=42 text='The build is green' "$telegram" $allow
show 0 call telegram__setChatAction chatId=42 "$telegram" $allow
show 0 call telegram__downloadFile fileId=file-1 savePath=telegram.txt "$telegram" $allow
cmp "$scratch/slack.txt" "$scratch/telegram.txt" || exit 1
# A channel that is not there, and an address that the operator did not allow.
show 1 call slack__send channelId=C99 text=x "$slack" $allow
show 1 call telegram__send chatId=42 text=x "$telegram"
