# SPDX-License-Identifier: MIT
# Sourced: check_WHAT.sh CMAKE SOURCE BUILD SCRATCH.
set -eu
cmake=$1 source=$2 build=$3 scratch=$4
mkdir -p "$scratch"
rm -rf "$scratch/prefix" "$scratch/examples" "$scratch/cache" "$scratch/root"
cp -R "$source/examples" "$scratch/examples"
cd "$scratch/examples"
unset PKG_CONFIG_PATH CMAKE_PREFIX_PATH CPATH LIBRARY_PATH LD_LIBRARY_PATH MAKEFLAGS

letter='{"subject":"Lunch","to":["ada@example.org","grace@example.org"],"sentMs":"1767225600000"}'

# says TEXT COMMAND...: the command succeeds and prints the text.
says() {
    wanted=$1
    shift
    said=$("$@") || { echo "FAILED: $*"; exit 1; }
    case $said in
    *"$wanted"*) echo "ok: $*" ;;
    *)
        echo "FAILED: $* says: $said"
        exit 1
        ;;
    esac
}

# try_prefix PREFIX: the examples for CMake, for make and pkg-config, and without malloc.
try_prefix() {
    prefix=$1
    "$cmake" -S cmake -B cmake/build "-DCMAKE_PREFIX_PATH=$prefix" >cmake.log
    "$cmake" --build cmake/build >>cmake.log
    says "$letter" cmake/build/letter
    pc=$(dirname "$(find "$prefix" -name cwire.pc)")
    for example in make static_memory; do
        PKG_CONFIG_PATH=$pc make -s -C $example "LDFLAGS=-Wl,-rpath,$(dirname "$pc")"
    done
    says "$letter" make/letter
    says "Hi, to 2" static_memory/letter
    says "too large: mail.Letter.to" static_memory/letter
    if nm -u static_memory/letter | grep -q malloc; then
        echo "FAILED: static_memory calls malloc"
        exit 1
    fi
}
