#!/bin/sh
# SPDX-License-Identifier: MIT
# Blanks in the project's folder, the import folder, the .proto's name and the build folder.
. "$(dirname "$0")/common.sh"
write_proto "$scratch/my dir/proto files/a mark.proto"
write_project "$scratch/my dir" "a mark.cw.h" 'cwire_generate(TARGET marks
    PROTOS "proto files/a mark.proto" IMPORT_DIRS "proto files" OPTIONS json=off text=on)'
build_project "$scratch/my dir" "$scratch/my build"
[ ! -e "$scratch/my build/cwire/a mark.cw_json.c" ]
