#!/bin/sh
# SPDX-License-Identifier: MIT
# No file by hand has more than 700 lines, no function more than 200 (most stay far below), and
# each source file begins with its licence line.
set -eu
find runtime generator bench tests -name '*.[ch]' -o -name '*.cc' |
    grep -vE '\.pb-c\.|_tables\.c$|/wkt/' | LC_ALL=C sort | xargs awk '
    function complain(text) {
        print text
        bad = 1
    }
    function end_of_file() {
        if (lines > 700) {
            complain(file ": " lines " lines")
        }
    }
    FNR == 1 {
        end_of_file()
        file = FILENAME
        start = 0
        if ($0 !~ /SPDX-License-Identifier: MIT/) {
            complain(file ": no licence line")
        }
    }
    { lines = FNR }
    # A body starts with "{" and ends with "}", both alone in the first column.
    /^\{$/ { start = FNR }
    /^\}$/ && start && FNR - start > 200 {
        complain(file ":" start ": a function of " FNR - start " lines")
    }
    /^\}/ { start = 0 }
    END {
        end_of_file()
        exit bad
    }'
