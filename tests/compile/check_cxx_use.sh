#!/bin/sh
# SPDX-License-Identifier: MIT
# check_cxx_use.sh CXX STANDARD OUT GENERATED-DIR LIBRARY... : use.cc compiles with all warnings as
# errors, links the C objects and runs.
set -eu
cxx=$1 standard=$2 out=$3 generated=$4
shift 4
flags="$(cat tests/compile/warnings.txt) -pedantic-errors"
# shellcheck disable=SC2086
"$cxx" -std="$standard" $flags -I runtime/include -I "$generated" tests/compile/use.cc "$@" -o "$out"
"$out" || {
    echo "use.cc: the check in line $? failed"
    exit 1
}
