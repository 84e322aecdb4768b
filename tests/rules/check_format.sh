#!/bin/sh
# SPDX-License-Identifier: MIT
# check_format.sh CLANG_FORMAT: every C and C++ file, the generated ones too, is laid out as
# .clang-format says (protoc-c's plugin.pb-c.* and the number tables apart).
set -eu
files=$(find runtime generator generated bench tests -name '*.[ch]' -o -name '*.cc' |
    grep -vE '\.pb-c\.|_tables\.c$' | LC_ALL=C sort)
status=0
for file in $files; do
    "$1" "$file" | cmp -s - "$file" || {
        echo "not formatted: $file"
        status=1
    }
done
[ $status -eq 0 ] || echo "run: make format (and for generated/: mend the emitter)"
exit $status
