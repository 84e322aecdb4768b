#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that can be wrong with a schema, its data and the machine is said, and is no success.
. "$(dirname "$0")/common.sh"

# wrong WHAT TEXT ARGUMENTS...: ends with code 1 and says the text on stderr.
wrong() {
    what=$1
    text=$2
    shift 2
    race "$@"
    [ "$code" -eq 1 ] || fail "$what: exit code $code"
    expect "$what" "$text" err
}

good="--proto invoice.proto --import lib --type acme.billing.Invoice"

wrong "no type" "needs --type NAME" --proto invoice.proto --data invoice.json
wrong "no data" "needs --data PATH" $good
wrong "no schema" "needs --proto FILE" --type X --data invoice.json
wrong "loss alone" "--loss needs --rtt" $good --data invoice.json --loss 2
wrong "no such schema" "nothing.proto" --proto nothing.proto --type X --data invoice.json
wrong "no import" "acme/money.proto: File not found" --proto invoice.proto --type X --data invoice.json
printf 'syntax = "proto3";\nmessage A {\n  strin a = 1;\n}\n' >bad.proto
wrong "a bad schema" 'bad.proto:3:3: "strin" is not defined' --proto bad.proto --type A --data invoice.json
printf 'edition = "2023";\nmessage A {\n  int32 a = 1;\n}\n' >edition.proto
if protoc --descriptor_set_out=/dev/null edition.proto 2>protoc.err; then
    echo "ok: this protoc knows editions"
else
    wrong "an edition" "protoc knows them from 27.0 on" --proto edition.proto --type A --data invoice.json
    expect "an edition: protoc's words" "$(head -n 1 protoc.err)" err
fi
wrong "no such type" "there are: acme.billing.Invoice, acme.billing.Line" --proto invoice.proto --import lib \
    --type acme.billing.Invoce --data invoice.json
wrong "no package" "there are: acme.billing.Invoice," --proto invoice.proto --import lib --type Invoice \
    --data invoice.json
{
    echo 'syntax = "proto3"; package big;'
    for name in Apple Banana Cherry Damson Elderberry Fig Grape Orange; do
        echo "message $name { int32 x = 1; message Seed { int32 y = 1; } }"
    done
} >big.proto
wrong "near names" "; near names: big.Orange, " --proto big.proto --type big.Ornage --data invoice.json
wrong "near nested names" "; near names: big.Cherry.Seed, " --proto big.proto --type big.Chery.Seed \
    --data invoice.json
echo 'syntax = "proto3"; enum E { A = 0; }' >none.proto
wrong "no types" "the schema has none" --proto none.proto --type A --data invoice.json

wrong "no such data" "nothing.json: No such file" $good --data nothing.json
wrong "unknown ending" "neither .json nor .binpb nor .txtpb" $good --data invoice.proto
mkdir empty
wrong "empty folder" "no .json, .binpb or .txtpb file in it" $good --data empty
printf '{"number": "1",\n "lines": [{"text": 5}]}' >type.json
wrong "JSON: type" "type.json: acme.billing.Invoice.lines[0].text:" $good --data type.json
expect "JSON: place" "2:21" err
printf '{"number": "1",\n "colour": 3}' >field.json
wrong "JSON: field" "2:2" $good --data field.json
printf '\012\001\377' >bytes.binpb
wrong "binary: UTF-8" "bytes.binpb: acme.billing.Invoice.number: invalid UTF-8" $good --data bytes.binpb
printf 'number: "1"\nlines { texts: "" }\n' >field.txtpb
wrong "text: field" "2:9" $good --data field.txtpb
mkdir folder
cp invoice.json folder/a.json
: >folder/b.json
wrong "a folder's second" "folder/b.json" $good --data folder
: >empty.binpb
mkdir hollow
cp empty.binpb hollow/1.binpb
cp empty.binpb hollow/2.binpb
wrong "empty messages" "message 1 of the data" $good --data hollow

# What the machine lacks. The cache is empty again, so that all is needed.
rm -rf cache
mkdir bin
for program in protoc protoc-gen-c cc; do
    ln -s "$(command -v $program)" bin/$program
done
path=$PATH
# lacks WHAT TEXT: as wrong, with the programs of bin/ alone.
lacks() {
    what=$1
    text=$2
    PATH=$scratch/bin
    race $good --data invoice.json
    PATH=$path
    [ "$code" -eq 1 ] || fail "$what: exit code $code"
    expect "$what" "$text" err
}
CC=no-such-compiler
export CC
lacks "CC" "CC names none"
CC=/bin/false
lacks "CC that fails" "does not compile"
unset CC
rm bin/cc
lacks "no compiler" "no C compiler: install one"
rm bin/protoc
lacks "no protoc" "no protoc (package protobuf-compiler)"
race $good --data invoice.json --cache /tmp
[ "$code" -eq 1 ] || fail "a cache for all: exit code $code"
expect "a cache for all" "/tmp: others can write there" err
race $good --data invoice.json --cache /proc/no-folder
[ "$code" -eq 1 ] || fail "no cache: exit code $code"
expect "no cache" "/proc/no-folder" err
finish
