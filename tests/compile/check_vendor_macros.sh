#!/bin/sh
# SPDX-License-Identifier: MIT
# check_vendor_macros.sh CC DIR...: the runtime's headers and every generated header of the folders
# compile behind the macros of common vendor headers.
set -eu
cc=$1
shift
flags=$(cat tests/compile/warnings.txt)
includes="-I runtime/include"
for dir in "$@"; do
    includes="$includes -I $dir"
done
# shellcheck disable=SC2086
{
    echo '#include "tests/compile/vendor_macros.h"'
    (cd runtime/include && find . -name '*.h' | sed 's|^\./\(.*\)|#include "\1"|' | LC_ALL=C sort)
    for dir in "$@"; do
        (cd "$dir" && find . -name '*.cw.h' | sed 's|^\./\(.*\)|#include "\1"|' | LC_ALL=C sort)
    done
    echo 'int main(void) { return 0; }'
} | "$cc" -x c -std=c11 $flags -I . $includes -fsyntax-only -
