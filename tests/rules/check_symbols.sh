#!/bin/sh
# SPDX-License-Identifier: MIT
# check_symbols.sh STATIC SHARED: every symbol that the libraries define for others begins with
# cw_ (so with cw__ too) or google_protobuf_, and the shared library exports all that the headers
# can lead a user to call: the undefined cw_ symbols of the static one are resolved within it.
set -eu
status=0
ours='^(cw_|google_protobuf_)'

static=$(nm -g --defined-only "$1" | awk 'NF == 3 {print $3}' | LC_ALL=C sort -u)
shared=$(nm -D --defined-only "$2" | awk 'NF == 3 {print $3}' | LC_ALL=C sort -u)

for name in $static $shared; do
    echo "$name" | grep -qE "$ours" || {
        echo "defined with a foreign name: $name"
        status=1
    }
done
# A public name that is there statically but not dynamically lacks CW_API. cw__ ones that only
# the runtime itself uses may be hidden.
for name in $static; do
    case $name in
    cw__*) continue ;;
    esac
    echo "$shared" | grep -qx "$name" || {
        echo "not exported by the shared library: $name"
        status=1
    }
done
[ -n "$static" ] || status=1
exit $status
