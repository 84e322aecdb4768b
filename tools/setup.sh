#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh bench|package|test|conformance: makes sure that everything `make` with that word uses is there.
# Each command, header and runtime is looked for; the Debian packages (12, 13) of those that are
# missing are installed, as root or through sudo, and named. When all is there nothing is touched.
set -u
set_name=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
missing= # package names, each once

need() {
    case " $missing " in
    *" $1 "*) ;;
    *) missing="$missing $1" ;;
    esac
}

# need_command COMMAND PACKAGE
need_command() {
    command -v "$1" >/dev/null 2>&1 || need "$2"
}

# need_header HEADER PACKAGE: as the C compiler finds it.
need_header() {
    echo "#include <$1>" >"$scratch/header.c"
    cc -E -include stddef.h -include stdio.h "$scratch/header.c" >/dev/null 2>&1 || need "$2"
}

# need_link PACKAGE COMPILER FLAG...: a small program compiles and links.
need_link() {
    package=$1
    shift
    "$@" "$scratch/program.c" -o "$scratch/program" >/dev/null 2>&1 || need "$package"
}

cat >"$scratch/program.c" <<'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return data == NULL && size > 0 ? printf("%zu\n", size) : 0;
}
#ifdef WITH_MAIN
int main(void)
{
    return LLVMFuzzerTestOneInput(NULL, 0);
}
#endif
END

# Debian 13 has a library; in Debian 12 the package of Node's parser ships its C sources.
look_for_llhttp() {
    for header in /usr/include/llhttp.h /usr/local/include/llhttp.h /usr/share/include/llhttp/llhttp.h; do
        [ ! -f $header ] || return 0
    done
    need llhttp
}

# The plugin, the runtime, and protoc to run the one on a .proto.
look_for_plugin() {
    need_command cc gcc
    need_command cmake cmake
    need_command protoc protobuf-compiler
    need_header stdio.h libc6-dev
    need_header protobuf-c/protobuf-c.h libprotobuf-c-dev
    # protoc's own google/protobuf/*.proto, which schemas import.
    [ -f /usr/include/google/protobuf/timestamp.proto ] ||
        [ -f /usr/local/include/google/protobuf/timestamp.proto ] || need libprotobuf-dev
}

look_for_bench() {
    look_for_plugin
    need_command protoc-c protobuf-c-compiler
    need_command protoc-gen-c protobuf-c-compiler
    need_header yajl/yajl_gen.h libyajl-dev
    need_header msgpack.h libmsgpack-dev
    need_header zlib.h zlib1g-dev
    need_header brotli/encode.h libbrotli-dev
    need_header zstd.h libzstd-dev
    need_header uv.h libuv1-dev
    need_header nghttp2/nghttp2.h libnghttp2-dev
    need_header openssl/ssl.h libssl-dev
    look_for_llhttp
}

# What cpack reads the libraries' packages with.
look_for_package() {
    look_for_bench
    need_command dpkg-shlibdeps dpkg-dev
    need_command file file
}

look_for_test() {
    look_for_package
    need_command gcc gcc
    need_command g++ g++
    need_command clang clang
    need_command clang++ clang
    need_header cmocka.h libcmocka-dev
    if command -v clang >/dev/null; then
        version=$(clang -dumpversion)
        runtime=libclang-rt-${version%%.*}-dev
    else
        runtime=libclang-rt-dev # what the clang of the distribution wants
    fi
    need_link "$runtime" clang -fsanitize=fuzzer,address,undefined
    need_link gcc-s390x-linux-gnu s390x-linux-gnu-gcc -DWITH_MAIN -c
    need_link libc6-dev-s390x-cross s390x-linux-gnu-gcc -DWITH_MAIN -static
    need_link gcc-arm-linux-gnueabihf arm-linux-gnueabihf-gcc -DWITH_MAIN -c
    need_link libc6-dev-armhf-cross arm-linux-gnueabihf-gcc -DWITH_MAIN -static
    need_link gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc -DWITH_MAIN -c
    need_link libc6-dev-arm64-cross aarch64-linux-gnu-gcc -DWITH_MAIN -static
    # Others' ends for our servers and clients. nginx is started by tests, never as a service.
    need_command curl curl
    need_command openssl openssl
    need_command h2load nghttp2
    need_command wrk wrk
    PATH=$PATH:/usr/sbin need_command nginx nginx-light
    # What is installed, as users and packagers look at it.
    need_command pkg-config pkgconf
    need_command groff groff-base
    # The test of the report drives this browser.
    need_command chromium chromium
    # The test of editions runs buf, which npm puts into the build tree.
    need_command npm npm
    command -v qemu-s390x-static >/dev/null || need_command qemu-s390x qemu-user
    command -v qemu-arm-static >/dev/null || need_command qemu-arm qemu-user
    command -v qemu-aarch64-static >/dev/null || need_command qemu-aarch64 qemu-user
}

# npm puts the rest into the build tree.
look_for_conformance() {
    look_for_plugin
    need_command npm npm
}

look() {
    missing=
    case $set_name in
    bench) look_for_bench ;;
    package) look_for_package ;;
    test) look_for_test ;;
    conformance) look_for_conformance ;;
    *)
        echo "usage: tools/setup.sh bench|package|test|conformance" >&2
        exit 2
        ;;
    esac
    missing=${missing# }
}

look
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends $missing"
if ! command -v apt-get >/dev/null; then
    echo "setup: missing, and this is no Debian system; the Debian packages are: $missing" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=sudo
else
    echo "setup: missing packages, and no right to install them. As root, run:" >&2
    echo "    apt-get update && $install" >&2
    exit 1
fi

# No package may start a service: while dpkg runs, its policy says so (invoke-rc.d asks it).
policy=/usr/sbin/policy-rc.d
own_policy=
if [ ! -e $policy ]; then
    printf '#!/bin/sh\nexit 101\n' >"$scratch/policy"
    $as_root install -m 755 "$scratch/policy" $policy && own_policy=$policy
fi
trap '[ -z "$own_policy" ] || $as_root rm -f "$own_policy"; rm -rf "$scratch"' EXIT

$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update >"$scratch/log" 2>&1
status=$?
case " $missing " in
*" llhttp "*)
    llhttp=node-llhttp
    ! apt-cache show libllhttp-dev >/dev/null 2>&1 || llhttp=libllhttp-dev
    missing=$(echo " $missing " | sed "s/ llhttp / $llhttp /;s/^ //;s/ $//")
    ;;
esac
# Debian 13 calls the C library's package by another name.
case " $missing " in
*" libmsgpack-dev "*)
    ! apt-cache show libmsgpack-c-dev >/dev/null 2>&1 ||
        missing=$(echo " $missing " | sed "s/ libmsgpack-dev / libmsgpack-c-dev /;s/^ //;s/ $//")
    ;;
esac
install="apt-get install -y --no-install-recommends $missing"
echo "setup: installing $missing"
if [ $status -eq 0 ]; then
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $install >>"$scratch/log" 2>&1 </dev/null
    status=$?
fi
if [ $status -ne 0 ]; then
    tail -n 30 "$scratch/log" >&2
    echo "setup: apt-get failed; the command was: $install" >&2
    exit 1
fi

look
if [ -n "$missing" ]; then
    echo "setup: still missing after the installation: $missing" >&2
    exit 1
fi
