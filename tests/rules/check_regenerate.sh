#!/bin/sh
# SPDX-License-Identifier: MIT
# check_regenerate.sh PLUGIN SCRATCH: what the plugin writes now is what is committed.
set -eu
plugin=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
tools/regen.sh "$plugin" "$scratch"
status=0
(cd "$scratch" && find . -type f | LC_ALL=C sort) >"$scratch.files"
[ -s "$scratch.files" ] || {
    echo "the plugin wrote nothing"
    exit 1
}
while read -r file; do
    diff -u "$file" "$scratch/$file" || status=1
done <"$scratch.files"
# And nothing is committed that the plugin no longer writes.
for file in $(find generated runtime -name '*.cw.[ch]' -o -name '*.cw_*.c'); do
    [ -f "$scratch/$file" ] || {
        echo "$file is not written by make regen"
        status=1
    }
done
[ $status -eq 0 ] || echo "run: make regen"
exit $status
