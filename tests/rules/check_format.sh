#!/bin/sh
# SPDX-License-Identifier: MIT
# check_format.sh CLANG_FORMAT: every C and C++ file, the generated ones too, is laid out as
# .clang-format says (protoc-c's plugin.pb-c.* and the number tables apart).
set -eu
find runtime generator generated bench tests -name '*.[ch]' -o -name '*.cc' |
    grep -vE '\.pb-c\.|_tables\.c$' | LC_ALL=C sort | xargs "$1" --dry-run -Werror || {
    echo "run: make format (and for generated/: mend the emitter)"
    exit 1
}
