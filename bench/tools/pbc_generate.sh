#!/bin/sh
# SPDX-License-Identifier: MIT
# pbc_generate.sh PROTOC PROTOC_GEN_C CODEGEN_IO CC OUT PREFIX IMPORT_DIR PROTO...
#
# protobuf-c's code for the schemas and everything they import, in OUT, and OUT/PREFIX_pbc_registry.c:
# one unit that includes all of it and lists the message descriptors as PREFIX_pbc_types[] and
# PREFIX_pbc_type_count. A file that protoc-gen-c cannot take (or whose code does not compile, or
# that imports such a file) is left out, with a line that says so.
set -eu
protoc=$1 plugin=$2 codegen_io=$3 cc=$4 out=$5 prefix=$6 import_dir=$7
shift 7

rm -rf "$out"
mkdir -p "$out"
"$protoc" -I "$import_dir" --include_imports --include_source_info \
    --descriptor_set_out="$out/schemas.pb" "$@"
"$codegen_io" list "$out/schemas.pb" >"$out/files.txt"

registry=$out/${prefix}_pbc_registry.c
{
    echo "/* Made by bench/tools/pbc_generate.sh; not for editing. */"
    echo "#include <stddef.h>"
} >"$registry"
: >"$out/types.txt"

while read -r proto; do
    stem=${proto%.proto}
    if "$codegen_io" request "$out/schemas.pb" "$proto" >"$out/request" &&
        "$plugin" <"$out/request" >"$out/response" 2>"$out/error" &&
        "$codegen_io" unpack "$out" <"$out/response" 2>"$out/error" &&
        "$cc" -std=gnu11 -w -fsyntax-only -I "$out" "$out/$stem.pb-c.c" 2>"$out/error"; then
        echo "#include \"$stem.pb-c.c\"" >>"$registry"
        sed -n 's/^extern const ProtobufCMessageDescriptor \([A-Za-z0-9_]*\);.*/\1/p' \
            "$out/$stem.pb-c.h" >>"$out/types.txt"
    else
        echo "note: $proto has no protobuf-c code: $(head -n 1 "$out/error")" >&2
        rm -f "$out/$stem.pb-c.c" "$out/$stem.pb-c.h"
    fi
done <"$out/files.txt"

{
    echo
    echo "extern const ProtobufCMessageDescriptor *const ${prefix}_pbc_types[];"
    echo "extern const size_t ${prefix}_pbc_type_count;"
    echo "const ProtobufCMessageDescriptor *const ${prefix}_pbc_types[] = {"
    sed 's/.*/    \&&,/' "$out/types.txt"
    echo "    NULL,"
    echo "};"
    echo "const size_t ${prefix}_pbc_type_count = $(wc -l <"$out/types.txt");"
} >>"$registry"
# With every schema left out nothing has declared the type yet.
sed -i 's|^#include <stddef.h>$|#include <stddef.h>\n#include <protobuf-c/protobuf-c.h>|' "$registry"
