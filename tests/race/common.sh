# SPDX-License-Identifier: MIT
# Sourced: check_WHAT.sh BENCH SCRATCH. A folder with a blank in its name is made new and entered.
set -u
bench=$1
scratch="$2/with blank"
rm -rf "$2"
mkdir -p "$scratch/lib/acme" && cd "$scratch" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# expect WHAT TEXT FILE: the file has the text.
expect() {
    if grep -qF -- "$2" "$3"; then
        echo "ok: $1"
    else
        fail "$1: no \"$2\" in:"
        cat "$3"
    fi
}

# race ARGUMENTS...: output in `out` and `err`, the exit code in $code.
race() {
    "$bench" --cache "$scratch/cache" --quick "$@" >out 2>err
    code=$?
}

finish() {
    [ "$failed" -eq 0 ] && echo "all as expected"
    exit "$failed"
}

cat >lib/acme/money.proto <<'END'
syntax = "proto3";
package acme;
import "google/protobuf/timestamp.proto";
message Money { string currency = 1; int64 units = 2; int32 nanos = 3; }
message Stamp { google.protobuf.Timestamp at = 1; }
END
cat >invoice.proto <<'END'
syntax = "proto3";
package acme.billing;
import "acme/money.proto";
enum State { STATE_UNSPECIFIED = 0; OPEN = 1; PAID = 2; }
message Line { string text = 1; acme.Money price = 2; double quantity = 3; }
message Invoice {
  string number = 1;
  repeated Line lines = 2;
  State state = 3;
  map<string, string> labels = 4;
  oneof payer { string company = 5; uint64 person = 6; }
  repeated int32 codes = 7;
}
END
cat >invoice.json <<'END'
{"number": "2026-00017", "state": "PAID", "company": "Ölmühle GmbH", "codes": [1, 20, 300],
 "labels": {"region": "eu", "tier": "gold"},
 "lines": [{"text": "Rapsöl", "price": {"currency": "EUR", "units": "12", "nanos": 500000000}, "quantity": 3.5},
           {"text": "Versand", "price": {"currency": "EUR", "units": "4"}, "quantity": 1}]}
END
cat >invoice.txtpb <<'END'
number: "2026-00018" state: OPEN person: 7
lines { text: "Fracht" price { currency: "EUR" units: 90 } quantity: 1 }
END
