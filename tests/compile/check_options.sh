#!/bin/sh
# SPDX-License-Identifier: MIT
# check_options.sh CC PLUGIN PROTOC WORK_DIR: names.proto and those that import it (cases B09 and B10 of
# public reports: a package that imports a file without one, a package and a message of one name)
# generate and compile with each naming option, the types have the names that the option promises, and
# json=off leaves out the JSON file and its declarations; text=on adds those of the text format;
# optimize=size changes no header.
set -eu
cc=$1
plugin=$2
protoc=$3
work=$4
flags=$(cat tests/compile/warnings.txt)
schemas=tests/schemas
protos="$schemas/names.proto $schemas/names_pkg.proto $schemas/names_cart.proto"
rm -rf "$work"

# generate NAME OPTIONS: into WORK_DIR/NAME, every .c compiled.
generate() {
    dir=$work/$1
    mkdir -p "$dir"
    # shellcheck disable=SC2086
    "$protoc" --plugin="protoc-gen-cwire=$plugin" --cwire_out="$dir" --cwire_opt="$2" -I $schemas $protos
    for file in "$dir"/*.c; do
        # shellcheck disable=SC2086
        "$cc" -std=c11 $flags -I runtime/include -I "$dir" -fsyntax-only "$file"
    done
}

# has FILE TEXT, lacks FILE TEXT
has() {
    grep -qF "$2" "$1" || {
        echo "$1 has no: $2"
        exit 1
    }
}
lacks() {
    if grep -qF "$2" "$1"; then
        echo "$1 has: $2"
        exit 1
    fi
}

generate strip strip_package
has "$work/strip/names_cart.cw.h" "struct Cart_Line {"
has "$work/strip/names_cart.cw.h" "struct Cart {"
has "$work/strip/names_pkg.cw.h" "struct User {"
generate prefix prefix=my
has "$work/prefix/names_cart.cw.h" "struct my_Cart_Cart_Line {"
has "$work/prefix/names_pkg.cw.h" "struct my_x1_y_User {"
has "$work/prefix/names.cw.h" "struct my_Bare {"
generate no_json json=off
lacks "$work/no_json/names_cart.cw.h" "_to_json("
lacks "$work/no_json/names_cart.cw.h" "_to_text("
generate size optimize=size
generate speed optimize=speed
for header in "$work"/speed/*.h; do # the mode is none of the callers' business
    cmp "$header" "$work/size/${header##*/}"
done
has "$work/size/names_cart.cw.c" "cw__table_dec("
generate size_no_json optimize=size,json=off
lacks "$work/size_no_json/names_cart.cw_type.c" "_to_json"
generate text text=on,json=off
has "$work/text/names_cart.cw.h" "_to_text("
has "$work/text/names_cart.cw_text.c" "_from_text("
if ls "$work"/no_json/*.cw_json.c >/dev/null 2>&1; then
    echo "json=off wrote a JSON file"
    exit 1
fi

# An unknown option is an error that lists the known ones.
mkdir -p "$work/bad"
# shellcheck disable=SC2086
if "$protoc" --plugin="protoc-gen-cwire=$plugin" --cwire_out="$work/bad" --cwire_opt=jsn=off -I $schemas \
    $protos 2>"$work/bad/error"; then
    echo "an unknown option was accepted"
    exit 1
fi
for option in json text prefix strip_package optimize; do
    has "$work/bad/error" "$option"
done
