#!/bin/sh
# SPDX-License-Identifier: MIT
# Which folder may include what. An include that no rule of its folder allows fails the test.
#   runtime      libc, its own headers (SIMD headers only in port.h and core/vector.h)
#   runtime/net  libc, POSIX, its libraries, cwire/*.h, its own headers; each library in its files:
#                llhttp in http1*, nghttp2 in http2*, OpenSSL in tls_*, zlib and Brotli in coding*
#   generator    libc, protobuf-c, its own headers; only request*.[ch] and
#                plugin.pb-c.* see protobuf-c
#   generated    cwire/*.h and other .cw.h files
#   bench        anything but the inside of runtime/core, runtime/net and generator/
set -eu
bad=0

# check FOLDER ALLOWED-REGEX EXCEPT-FILES-REGEX: the regex sees what stands after "#include".
check() {
    found=$(grep -rnE '^[[:space:]]*#[[:space:]]*include' --include='*.[ch]' --include='*.inc' "$1" |
        grep -vE "^[^:]*($3):" | sed 's/#[[:space:]]*include[[:space:]]*/#include /' |
        grep -vE "#include ($2)" || true)
    if [ -n "$found" ]; then
        echo "not allowed in $1:"
        echo "$found"
        bad=1
    fi
}

c11='assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal'
c11="$c11|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath"
c11="$c11|threads|time|uchar|wchar|wctype"
none='no such file'

check runtime/core "<($c11)\.h>|\"(cwire/)?[a-z0-9_/]+\.(h|cw\.h|inc)\"" 'core/vector\.h'
check runtime/include "<($c11)\.h>|\"(cwire/)?[a-z0-9_/]+\.(h|cw\.h)\"" 'cwire/port\.h'
posix='arpa/inet|fcntl|linux/tcp|netinet/in|netinet/tcp|pthread|sys/socket|sys/stat|sys/types|unistd'
libraries='uv|llhttp|nghttp2/nghttp2|openssl/[a-z0-9_]+|zlib|brotli/(en|de)code'
check runtime/net "<($c11|$posix|$libraries)\.h>|\"(cwire/(net/)?)?[a-z0-9_]+\.h\"" "$none"
check_library() {
    others=$(grep -lE "#include <($1)" runtime/net/*.[ch] | grep -vE "/$2[a-z0-9_]*\.[ch]$" || true)
    [ -z "$others" ] || { echo "$1 is for $2* alone: $others"; bad=1; }
}
check_library llhttp http1
check_library nghttp2/ http2
check_library openssl/ tls_
check_library 'zlib|brotli/' coding
check generator "<($c11)\.h>|\"[a-z0-9_]+\.(h|inc)\"|\"plugin\.pb-c\.h\"" 'plugin\.pb-c\.[ch]'
check generated "\"(cwire/[a-z0-9_/]+|[A-Za-z0-9_./-]+\.cw)\.h\"" "$none"

pbc=$(grep -lE 'pb-c\.h|protobuf-c/' generator/*.[ch] |
    grep -vE '/(request[a-z_]*\.[ch]|plugin\.pb-c\.[ch])$' || true)
if [ -n "$pbc" ]; then
    echo "sees protobuf-c, which is request's alone: $pbc"
    bad=1
fi

# No way from one room into the inside of another: neither by a path ...
grep -rnE '#[[:space:]]*include[[:space:]]*"(\.\./|runtime/|generator/|core/)' --include='*.[ch]' \
    runtime generator generated bench >"${TMPDIR:-/tmp}/includes.$$" || true
while IFS=: read -r file line text; do
    included=$(echo "$text" | sed 's/[^"]*"\([^"]*\)".*/\1/')
    target=$(realpath -m --relative-to=. "$(dirname "$file")/$included")
    [ "${target%%/*}" = "${file%%/*}" ] || {
        echo "$file:$line reaches into another room: $included"
        bad=1
    }
done <"${TMPDIR:-/tmp}/includes.$$"
rm -f "${TMPDIR:-/tmp}/includes.$$"
# ... nor by a name that only the other room has.
for header in generator/*.h runtime/core/*.h runtime/net/*.h; do
    [ -f "$header" ] || continue
    name=${header##*/}
    case $header in
    generator/*) others="runtime generated bench" ;;
    runtime/net/*) others="runtime/core runtime/include runtime/net/include generator generated bench" ;;
    *) others="generator generated bench" ;;
    esac
    for other in $others; do
        # A room may have a header of the same name of its own.
        find "$other" -name "$name" | grep -q . && continue
        if grep -rn --include='*.[ch]' "#include \"$name\"" "$other"; then
            echo "$other includes $header"
            bad=1
        fi
    done
done

exit $bad
