#!/bin/sh
# usage: run_ctest.sh BUILD-FOLDER CTEST-ARGS... : runs the tests; those that fail are run a second time, alone.
# If they pass then, the run passes, and its last words say which had failed. With GDN_STRICT=1, or if more than
# three entries fail, there is no second time.
set -eu
build=$1
shift
max_retried=3
failed=$build/Testing/Temporary/LastTestsFailed.log
log=$build/Testing/first-failures.log

rm -f "$failed" "$log"
status=0
ctest --test-dir "$build" --output-on-failure "$@" || status=$?
[ "$status" -ne 0 ] || exit 0
[ -s "$failed" ] || exit "$status"  # it was not a test that failed
[ "${GDN_STRICT:-0}" != 1 ] || exit "$status"
names=$(sed 's/^[0-9]*://' "$failed")
count=$(printf '%s\n' "$names" | wc -l)
if [ "$count" -gt "$max_retried" ]; then
  echo "$count entries failed: too many for a second try" >&2
  exit "$status"
fi

# Of the log of all entries those that failed.
printf '%s\n' "$names" | awk '
  NR == FNR { failed[$0]; next }
  /^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/^[0-9]+\/[0-9]+ Testing: /, "", name); shown = name in failed }
  shown' - "$build/Testing/Temporary/LastTest.log" >"$log"

echo "running again, alone: $(echo "$names" | tr '\n' ' ')" >&2
ctest --test-dir "$build" --output-on-failure --rerun-failed -j 1 || {
  echo "failed twice; the first time is in $log" >&2
  exit "$status"
}
printf '%s\n' "$names" | while read -r name; do
  printf '\033[1;31mUNSTEADY: %s failed once and passed when run alone; see %s\033[0m\n' "$name" "$log" >&2
done
