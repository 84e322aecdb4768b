#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed is complete: plugin, headers, both libraries and cwire.pc serve a user who has
# neither CMake nor our tree.
. "$(dirname "$0")/common.sh"
write_proto "$scratch/mark.proto"
write_project "$scratch/project" mark.cw.h ""
prefix=$scratch/prefix
protoc "--plugin=$prefix/bin/protoc-gen-cwire" "--cwire_out=$scratch/project" -I "$scratch" \
    "$scratch/mark.proto"

pc_dir=$(dirname "$(find "$prefix" -name cwire.pc)")
# The three variables of cwire.pc, resolved as pkg-config does.
pc_prefix=$pc_dir/$(sed -n 's|^prefix=${pcfiledir}/||p' "$pc_dir/cwire.pc")
pc_libdir=$pc_prefix/$(sed -n 's|^libdir=${prefix}/||p' "$pc_dir/cwire.pc")
pc_includedir=$pc_prefix/$(sed -n 's|^includedir=${prefix}/||p' "$pc_dir/cwire.pc")

cd "$scratch/project"
cc -std=c11 -I "$pc_includedir" main.c mark.cw.c "$pc_libdir/libcwire.a" -o static
./static
cc -std=c11 -I "$pc_includedir" main.c mark.cw*.c -L "$pc_libdir" -lcwire -o shared
LD_LIBRARY_PATH=$pc_libdir ./shared
