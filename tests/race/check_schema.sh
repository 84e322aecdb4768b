#!/bin/sh
# SPDX-License-Identifier: MIT
# A schema in two files and three kinds of data through the whole race.
. "$(dirname "$0")/common.sh"

# rows TEXT: how many rows of the record have it.
rows() {
    grep -cF -- "$1" rows.json
}

all() {
    race --proto invoice.proto --import lib --type acme.billing.Invoice "$@" --json rows.json --csv rows.csv
    [ "$code" -eq 0 ] || { fail "exit code $code of: $*"; cat out err; }
}

all --data invoice.json
json=$(sed -n 's/.*"contender": "json", "op": "size".*"bytes": \([0-9]*\).*/\1/p' rows.json)
binary=$(sed -n 's/.*"contender": "binary", "op": "size".*"bytes": \([0-9]*\).*/\1/p' rows.json)
# As protoc has it.
protoc -I. -Ilib --encode=acme.billing.Invoice invoice.proto >wire <<'END'
number: "2026-00017" state: PAID company: "\303\226lm\303\274hle GmbH" codes: [1, 20, 300]
labels { key: "region" value: "eu" } labels { key: "tier" value: "gold" }
lines { text: "Raps\303\266l" price { currency: "EUR" units: 12 nanos: 500000000 } quantity: 3.5 }
lines { text: "Versand" price { currency: "EUR" units: 4 } quantity: 1 }
END
[ "$binary" = "$(wc -c <wire)" ] || fail "$binary bytes of binary, protoc makes $(wc -c <wire)"
[ "$json" -gt "$binary" ] || fail "$json bytes of JSON"
for op in encode encode_exact encode_arena decode_copy decode_alias json_print json_parse; do
    [ "$(rows "\"contender\": \"cwire\", \"op\": \"$op\"")" -eq 1 ] || fail "no row of $op"
done
for op in encode decode_malloc decode_bump; do
    [ "$(rows "\"contender\": \"protobuf-c\", \"op\": \"$op\"")" -eq 1 ] || fail "protobuf-c: no row of $op"
done
[ "$(rows '"contender": "yajl"')" -eq 2 ] || fail "rows of yajl"
[ "$(rows '"table": "exchange"')" -eq 8 ] || fail "rows of exchanges"
# Two forms by two transports: without TLS in four codings, over TLS as they are.
[ "$(rows '"table": "closed"')" -eq 20 ] || fail "$(rows '"table": "closed"') rows with many in flight"
[ "$(rows '"table": "open"')" -eq 4 ] || fail "$(rows '"table": "open"') rows of the open loop"
[ "$(rows '"failed": 0')" -eq 32 ] || fail "not every row of a transport is without failures"
[ "$(rows '"payload": "acme.billing.Invoice"')" -ge 30 ] || fail "names of the payload"
head -n 1 rows.csv | grep -q '^suite,payload,contender,op,ns_median' || fail "rows.csv"
[ "$(wc -l <rows.csv)" -eq "$(($(grep -c '"suite"' rows.json) + 1))" ] || fail "lines of rows.csv"
expect "the verdict" "times the bytes of the binary form" out
expect "the share" "Of a round trip on HTTP/2" out
expect "how many" "With 50 in flight, a second takes this many of them: HTTP/2 " out
[ -s err ] && fail "said on stderr: $(cat err)"

# The library is kept: no compiler is needed the second time, and a change of the schema is seen.
cached=$(find cache -name '*.so' | wc -l)
[ "$cached" -eq 1 ] || fail "$cached libraries in the cache"
[ "$(find cache -mindepth 1 | wc -l)" -eq 1 ] || fail "left in the cache: $(ls cache)"
all --data invoice.json --no-http
[ "$(find cache -name '*.so' | wc -l)" -eq 1 ] || fail "compiled again"
[ "$(rows '"table": "exchange"')" -eq 0 ] || fail "--no-http has exchanges"
echo 'message Extra { int32 x = 1; }' >>lib/acme/money.proto
all --data invoice.txtpb --no-http
[ "$(find cache -name '*.so' | wc -l)" -eq 2 ] || fail "a changed import was not compiled"

# Binary, and a folder of messages.
cp wire invoice.binpb
all --data invoice.binpb --no-http
[ "$binary" = "$(sed -n 's/.*"contender": "binary", "op": "size".*"bytes": \([0-9]*\).*/\1/p' rows.json)" ] ||
    fail "another size from .binpb"
mkdir folder
cp invoice.json invoice.txtpb invoice.binpb folder
echo 'no message' >folder/README
all --data folder
expect "three messages" "(3 messages)" out
[ "$(rows '"contender": "protobuf-c"')" -eq 3 ] || fail "protobuf-c on a folder"
[ "$(rows '"table": "exchange"')" -eq 8 ] || fail "exchanges of a folder"
[ "$(rows '"table": "closed"')" -eq 20 ] || fail "a folder with many in flight"

# One row of them all, by the message's name.
all --data invoice.json --filter closed/HTTP/2/50/none/acme.billing.Invoice/json/identity
[ "$(rows '"table": "closed"')" -eq 1 ] || fail "--filter: $(rows '"table": "closed"') rows"
[ "$(rows '"contender": "cwire"')" -eq 0 ] || fail "--filter: rows of the codec"

# A message longer than servers take by default, which compresses better than they believe.
awk 'BEGIN { printf "{\"company\": \""; for (i = 0; i < 600000; i++) printf "abcdefghijklmnopqrstuvwxyz0123"; print "\"}" }' \
    >long.json
all --data long.json --filter /
[ "$(rows '"coding": "br 4"')" -eq 4 ] || fail "rows of br 4"
[ "$(rows '"in_flight": 3,')" -eq 20 ] || fail "18 MB: not 3 in flight"
[ "$(rows '"table": "open"')" -eq 0 ] || fail "18 MB: an open loop"
expect "no open loop" "Too few requests of this length" out

# Names that the bench has itself, with other fields.
cat >order.proto <<'END'
syntax = "proto3";
package shop;
message Order { string id = 1; repeated string lines = 2; }
message Batch { repeated Order orders = 1; }
END
echo '{"orders": [{"id": "a", "lines": ["x", "y"]}, {"id": "b"}]}' >batch.json
race --proto order.proto --type shop.Batch --data batch.json --json rows.json
[ "$code" -eq 0 ] || { fail "the bench's own names: exit code $code"; cat out err; }
[ "$(rows '"contender": "protobuf-c"')" -eq 3 ] || fail "protobuf-c on the bench's own names"
[ "$(rows 'cwire_unchecked')" -eq 0 ] || fail "a twin of another type"

# What protobuf-c has no code for is raced without it.
cat >old.proto <<'END'
syntax = "proto2";
message Old { optional group Part = 1 { required string name = 2; } optional int32 n = 3 [default = 7]; }
END
echo 'Part { name: "x" } n: 300' >old.txtpb
race --proto old.proto --type Old --data old.txtpb --json rows.json --no-http
[ "$code" -eq 0 ] || { fail "groups: exit code $code"; cat out err; }
[ "$(rows '"contender": "cwire", "op": "decode_copy"')" -eq 1 ] || fail "groups: no row"
finish
