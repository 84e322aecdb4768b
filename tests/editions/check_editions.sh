#!/bin/sh
# SPDX-License-Identifier: MIT
# check_editions.sh SOURCE WORK PLUGIN LIBCWIRE CC: compiles box.proto and tray.proto, which this
# protoc is too old for, with buf from npm (installed below WORK, once) and our plugin, and runs
# check_editions.c on the generated code. After `npm ci` nothing needs the network; where buf cannot
# be fetched the test fails, since nothing else looks at editions end to end.
set -eu
source=$1 work=$2 plugin=$3 library=$4 cc=$5
here=$source/tests/editions

if ! command -v npm >/dev/null; then
    echo "npm is missing: tools/setup.sh test installs it" >&2
    exit 1
fi
mkdir -p "$work/proto"
cd "$work"
if ! cmp -s "$here/package-lock.json" installed-lock.json; then
    cp "$here/package.json" "$here/package-lock.json" .
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
    cp package-lock.json installed-lock.json
fi

cp "$here"/*.proto proto/
rm -rf out
cat >buf.yaml <<END
version: v2
modules:
  - path: proto
END
cat >buf.gen.yaml <<END
version: v2
plugins:
  - local: ["$plugin"]
    out: out
END
BUF_CACHE_DIR=$work/cache node_modules/.bin/buf generate

# shellcheck disable=SC2046,SC2086  # flags are words without blanks
"$cc" -std=c11 $(cat "$source/tests/compile/warnings.txt") "-I$source/runtime/include" -Iout -g \
    "$here/check_editions.c" out/*.c "$library" -lcmocka -lm -o check_editions
./check_editions
