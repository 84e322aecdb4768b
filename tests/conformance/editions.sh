#!/bin/sh
# SPDX-License-Identifier: MIT
# editions.sh WORK OUT PLUGIN speed|size PROTO...: generates code for google/protobuf/*.proto of editions that
# the machine's protoc is too old for, with the buf that install.sh put below WORK.
set -eu
work=$1 out=$2 plugin=$3 optimize=$4
shift 4
mkdir -p "$out/module/google/protobuf"
cp "$@" "$out/module/google/protobuf"
cd "$out"
cat >buf.yaml <<END
version: v2
modules:
  - path: module
END
cat >buf.gen.yaml <<END
version: v2
plugins:
  - local: ["$plugin"]
    out: .
    opt: optimize=$optimize
END
BUF_CACHE_DIR=$out/cache "$work/node_modules/.bin/buf" generate
