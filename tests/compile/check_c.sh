#!/bin/sh
# SPDX-License-Identifier: MIT
# check_c.sh CC DIR...: every generated .c file of the folders passes as C11 with all warnings as
# errors, optimised (some warnings come with the optimiser only).
set -eu
cc=$1
shift
flags=$(cat tests/compile/warnings.txt)
status=0
count=0
includes="-I runtime/include"
for dir in "$@"; do
    includes="$includes -I $dir"
done
for file in $(find "$@" -name '*.cw*.c' | LC_ALL=C sort); do
    # shellcheck disable=SC2086
    "$cc" -std=c11 -O2 $flags $includes -c "$file" -o /dev/null || status=1
    count=$((count + 1))
done
echo "$count files compiled"
[ $count -gt 0 ] && exit $status
