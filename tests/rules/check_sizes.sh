#!/bin/sh
# SPDX-License-Identifier: MIT
# No file by hand has more than 700 lines, no function more than 200 (most stay far below), and
# each source file begins with its licence line.
set -eu
status=0
files=$(find runtime generator bench tests -name '*.[ch]' -o -name '*.cc' |
    grep -vE '\.pb-c\.|_tables\.c$|/wkt' | LC_ALL=C sort)
for file in $files; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 700 ]; then
        echo "$file: $lines lines"
        status=1
    fi
    head -n 1 "$file" | grep -qF 'SPDX-License-Identifier: MIT' || {
        echo "$file: no licence line"
        status=1
    }
    # A body starts with "{" and ends with "}", both alone in the first column.
    awk -v file="$file" '
        /^{$/ { start = NR }
        /^}$/ && start && NR - start > 200 { print file ":" start ": function of " NR - start " lines"; bad = 1 }
        /^}/ { start = 0 }
        END { exit bad }' "$file" || status=1
done
exit $status
