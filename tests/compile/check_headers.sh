#!/bin/sh
# SPDX-License-Identifier: MIT
# check_headers.sh COMPILER LANGUAGE STANDARD DIR...: every public header of the runtime and every
# generated header of the folders stands alone, and all of them go into one unit together, with
# all warnings as errors.
set -eu
compiler=$1 language=$2 standard=$3
shift 3
flags="$(cat tests/compile/warnings.txt) -pedantic-errors"
includes="-I runtime/include"
for dir in "$@"; do
    includes="$includes -I $dir"
done
headers=$({
    (cd runtime/include && find . -name '*.h')
    for dir in "$@"; do
        (cd "$dir" && find . -name '*.cw.h')
    done
} | sed 's|^\./||' | LC_ALL=C sort -u)

status=0
all=
for header in $headers; do
    all="$all#include \"$header\"
"
    # Twice: the guard works.
    # shellcheck disable=SC2086
    printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" |
        "$compiler" -x "$language" -std="$standard" $flags $includes -fsyntax-only - || {
        echo "does not stand alone: $header"
        status=1
    }
done
# shellcheck disable=SC2086
printf '%sint main(void) { return 0; }\n' "$all" |
    "$compiler" -x "$language" -std="$standard" $flags $includes -fsyntax-only - || status=1
[ -n "$headers" ] && exit $status
