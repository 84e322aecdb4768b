#!/bin/sh
# SPDX-License-Identifier: MIT
# Every example against an installed cwire; then the installed bench, the pages and cwire::net.
. "$(dirname "$0")/common.sh"
prefix=$scratch/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$scratch/install.log"
try_prefix "$prefix"

# buf, from npm as in tests/editions.
lock=$source/tests/editions/package-lock.json
cd "$scratch"
if ! cmp -s "$lock" installed-lock.json; then
    cp "$source/tests/editions/package.json" "$lock" .
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
    cp package-lock.json installed-lock.json
fi
cd "$scratch/examples/buf"
PATH=$prefix/bin:$PATH BUF_CACHE_DIR=$scratch/buf_cache "$scratch/node_modules/.bin/buf" generate
[ -f gen/letter.cw_text.c ] # text=on
pc=$(dirname "$(find "$prefix" -name cwire.pc)")
# shellcheck disable=SC2046  # flags are words without blanks
cc -std=c11 $(PKG_CONFIG_PATH=$pc pkg-config --cflags cwire) -Igen main.c gen/*.c -o letter \
    $(PKG_CONFIG_PATH=$pc pkg-config --libs cwire) "-Wl,-rpath,$(dirname "$pc")"
says "$letter" ./letter

# The installed bench finds the plugin and the headers beside it.
cd "$scratch/examples/cmake"
echo '{"subject": "Lunch", "to": ["a@b.c"]}' >letter.json
says "| cwire             | json_parse " env PATH=/usr/bin:/bin "$prefix/bin/cwire-bench" --quick --no-http \
    --proto letter.proto --type mail.Letter --data letter.json --cache "$scratch/cache"
for page in protoc-gen-cwire cwire-bench; do
    gzip -dc "$prefix/share/man/man1/$page.1.gz" | groff -man -Tascii -P-cbou -ww >"$scratch/$page.txt" 2>"$scratch/$page.err"
    grep -q NAME "$scratch/$page.txt"
    [ ! -s "$scratch/$page.err" ] || { cat "$scratch/$page.err"; exit 1; }
done
# Each option of the program is in its page.
"$prefix/bin/cwire-bench" help | sed -n '/^Options of serve/q;s/^  \(--[a-z-]*\).*/\1/p' | while read -r option; do
    case $option in
    --rtt | --loss | --seed | --congestion | --part | --published | --placement) ;; # of one subcommand
    *) grep -q -e "$option" "$scratch/cwire-bench.txt" || { echo "FAILED: $option is not in the page"; exit 1; } ;;
    esac
done

# cwire::net by find_package.
mkdir -p "$scratch/net"
cat >"$scratch/net/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(cwire REQUIRED COMPONENTS net)
add_executable(user main.c)
target_link_libraries(user PRIVATE cwire::net)
add_executable(static_user main.c)
target_link_libraries(static_user PRIVATE cwire::net_static)
END
cat >"$scratch/net/main.c" <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include "cwire/net/server.h"
static void on_request(void *ctx, cw_http_call *call)
{
    (void)ctx;
    (void)call;
}
static void on_closed(void *ctx)
{
    puts(ctx);
}
int main(void)
{
    const cw_http_handler handler = {.on_request = on_request};
    const cw_http_server_options options = {.host = "127.0.0.1"};
    static char text[] = "closed";
    cw_net_error e = {0};
    uv_loop_t *loop = uv_default_loop();
    cw_http_server *server = cw_http_server_open(loop, &options, &handler, text, &e);
    if (server == NULL || cw_http_server_port(server) <= 0) {
        return 1;
    }
    cw_http_server_close(server, on_closed);
    return uv_run(loop, UV_RUN_DEFAULT);
}
END
rm -rf "$scratch/net/build"
"$cmake" -S "$scratch/net" -B "$scratch/net/build" "-DCMAKE_PREFIX_PATH=$prefix" >"$scratch/net.log"
"$cmake" --build "$scratch/net/build" >>"$scratch/net.log"
says closed "$scratch/net/build/user"
says closed "$scratch/net/build/static_user"
if ldd "$scratch/net/build/static_user" | grep -q cwire || ! ldd "$scratch/net/build/user" | grep -q libcwire_net; then
    echo "FAILED: cwire::net is not the shared library, or cwire::net_static not the other one"
    exit 1
fi

# ... and by pkg-config.
# shellcheck disable=SC2046
cc -std=c11 "$scratch/net/main.c" -o "$scratch/net/user" "-Wl,-rpath,$(dirname "$pc")" \
    $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs cwire_net)
says closed "$scratch/net/user"
# ... and the static library by pkg-config --static.
# shellcheck disable=SC2046
cc -std=c11 "$scratch/net/main.c" -o "$scratch/net/static_user" \
    $(PKG_CONFIG_PATH=$pc pkg-config --cflags cwire_net) \
    $(PKG_CONFIG_PATH=$pc pkg-config --static --libs cwire_net |
        sed 's/-lcwire_net/-l:libcwire_net.a/; s/-lcwire\( \|$\)/-l:libcwire.a\1/')
says closed "$scratch/net/static_user"
if ldd "$scratch/net/static_user" | grep -q cwire; then
    echo "FAILED: cwire_net.pc --static"
    exit 1
fi
