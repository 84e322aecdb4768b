#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian package: what it holds and says, and the examples against what it unpacks.
. "$(dirname "$0")/common.sh"
cpack=$(dirname "$cmake")/cpack
rm -rf "$scratch/deb"
mkdir -p "$scratch/deb"
"$cpack" -G DEB --config "$build/CPackConfig.cmake" -B "$scratch/deb" >"$scratch/cpack.log"
deb=$(ls "$scratch"/deb/cwire_*.deb)
dpkg-deb -I "$deb" >"$scratch/control"
dpkg-deb -c "$deb" >"$scratch/contents"
grep -q '^ Package: cwire$' "$scratch/control"
grep -q '^ Depends: .*libc6.*protobuf-compiler\|^ Depends: .*protobuf-compiler.*libc6' "$scratch/control"
grep '^ Depends:' "$scratch/control" | grep -q libprotobuf-c1
# All below /usr, and no file that only its owner may read.
if awk '{print $6}' "$scratch/contents" | grep -vE '^\./(usr/.*)?$'; then
    echo "FAILED: files outside of /usr"
    exit 1
fi
if grep -vE '^(d|l|-r[w-][x-]r[w-]?[x-]?-?r)' "$scratch/contents"; then
    echo "FAILED: files that others cannot read"
    exit 1
fi
for file in bin/protoc-gen-cwire bin/cwire-bench include/cwire/cwire.h share/man/man1/cwire-bench.1.gz \
    share/doc/cwire/copyright; do
    grep -q "\./usr/$file\$" "$scratch/contents" || { echo "FAILED: no $file"; exit 1; }
done
dpkg-deb -x "$deb" "$scratch/root"
try_prefix "$scratch/root/usr"
