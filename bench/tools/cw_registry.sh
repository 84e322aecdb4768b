#!/bin/sh
# SPDX-License-Identifier: MIT
# cw_registry.sh OUT HEADER... : writes OUT, a C file with bench_cw_files[], which holds every
# cw_file that the generated headers declare.
set -eu
out=$1
shift
{
    echo "/* Made by bench/tools/cw_registry.sh; not for editing. */"
    echo "#include \"schema_registry.h\""
    for header in "$@"; do
        echo "#include \"$(basename "$header")\""
    done
    echo
    echo "const cw_file *const bench_cw_files[] = {"
    sed -n 's/^extern\( CW_API\)\{0,1\} const cw_file \([A-Za-z0-9_]*\);.*/    \&\2,/p' "$@"
    echo "    NULL,"
    echo "};"
    echo "const size_t bench_cw_file_count = sizeof bench_cw_files / sizeof bench_cw_files[0] - 1;"
} >"$out"
grep -q '^    &' "$out" || {
    echo "cw_registry.sh: no cw_file is declared in: $*" >&2
    rm -f "$out"
    exit 1
}
