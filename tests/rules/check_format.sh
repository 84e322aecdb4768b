#!/bin/sh
# SPDX-License-Identifier: MIT
# check_format.sh CLANG_FORMAT: every C and C++ file written by hand is laid out as .clang-format
# says. What programs print (generated/, the runtime's wkt/, protoc-c's plugin.pb-c.*, the number
# tables) has the layout of its printer.
set -eu
find runtime generator bench tests examples -name '*.[ch]' -o -name '*.cc' |
    grep -vE '\.pb-c\.|_tables\.c$|/wkt/' | LC_ALL=C sort | xargs "$1" --dry-run -Werror || {
    echo "run: make format"
    exit 1
}
