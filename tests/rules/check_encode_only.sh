#!/bin/sh
# SPDX-License-Identifier: MIT
# check_encode_only.sh CC LIBCWIRE SCRATCH: who only encodes links order.cw.c and the runtime,
# nothing else of the generated code; and no part of the JSON code comes along. Who prints and parses
# JSON of messages without Any and extensions needs order.cw_json.c too, but no tables: neither the
# messages' own ones nor those of the well-known types.
set -eu
cc=$1 library=$2 scratch=$3
program=$scratch/encode_only
"$cc" -std=c11 -O2 -ffunction-sections -Wl,--gc-sections -I runtime/include -I generated \
    tests/rules/encode_only.c generated/order.cw.c "$library" -o "$program"
"$program"
json=$(nm "$program" | grep -iE ' t (cw_*json|shop_[A-Za-z]*_(to|from)_json)' || true)
if [ -n "$json" ]; then
    echo "an encoder carries JSON code:"
    echo "$json"
    exit 1
fi

program=$scratch/json_only
"$cc" -std=c11 -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections -I runtime/include \
    -I generated tests/rules/json_only.c generated/order.cw.c generated/order.cw_json.c "$library" \
    -o "$program"
"$program"
tables=$(nm "$program" | grep -E ' (shop|google_protobuf)_[A-Za-z_]*(_type|_file)$' || true)
if [ -n "$tables" ]; then
    echo "JSON of plain messages carries tables:"
    echo "$tables"
    exit 1
fi
