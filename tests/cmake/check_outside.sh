#!/bin/sh
# SPDX-License-Identifier: MIT
# The .proto lies outside of the project: its code lands in the binary folder under the name that
# it has relative to the import folder, and that is what is compiled.
. "$(dirname "$0")/common.sh"
write_proto "$scratch/x/y/z.proto"
write_project "$scratch/project" y/z.cw.h "cwire_generate(TARGET marks
    PROTOS $scratch/x/y/z.proto IMPORT_DIRS $scratch/x)"
build_project "$scratch/project" "$scratch/build"
[ -f "$scratch/build/cwire/y/z.cw.c" ]
[ -z "$(find "$scratch/x" "$scratch/project" -name '*.cw*')" ]
