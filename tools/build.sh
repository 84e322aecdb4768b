#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh TREE [-CFILE] [-DOPTION...] [TARGET...]: configures TREE (with Ninja where there is one)
# and builds the targets, or everything. Paths are relative to the project's root.
set -eu
cd "$(dirname "$0")/.."
tree=$1
shift
options=
while [ $# -gt 0 ]; do
    case $1 in
    -C* | -D*) options="$options $1" && shift ;;
    *) break ;;
    esac
done

if [ ! -f "$tree/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    options="-G Ninja $options"
fi
mkdir -p "$tree"
# shellcheck disable=SC2086  # options are words without blanks
cmake -S . -B "$tree" $options >"$tree/configure.log" 2>&1 || {
    cat "$tree/configure.log"
    exit 1
}
jobs=$(getconf _NPROCESSORS_ONLN)
cmake --build "$tree" --parallel "$jobs" ${1:+--target "$@"}
