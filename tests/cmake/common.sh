# SPDX-License-Identifier: MIT
# Read by the check_*.sh beside it: CMAKE GENERATOR SOURCE BUILD SCRATCH as arguments. Installs the
# built cwire below SCRATCH, which is what a user's project finds.
set -eu
cmake=$1 generator=$2 source=$3 build=$4 scratch=$5
here=$source/tests/cmake
rm -rf "$scratch"
mkdir -p "$scratch"
"$cmake" --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"

# write_proto FILE: a message of package spot, field `n`.
write_proto() {
    mkdir -p "$(dirname "$1")"
    printf 'syntax = "proto3";\npackage spot;\nmessage Mark {\n  int32 n = 1;\n}\n' >"$1"
}

# write_project DIR HEADER CALL: a project whose program encodes a Mark.
write_project() {
    mkdir -p "$1"
    cat >"$1/main.c" <<END
#include "$2"
int main(void)
{
    unsigned char buf[8];
    size_t len = 0;
    spot_Mark mark = {0};
    mark.n = 5;
    return spot_Mark_encode(&mark, buf, sizeof buf, &len, NULL) == CW_OK && len == 2 ? 0 : 1;
}
END
    cat >"$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(cwire REQUIRED)
$3
add_executable(user main.c)
target_link_libraries(user PRIVATE marks)
END
}

# build_project DIR BUILD
build_project() {
    "$cmake" -S "$1" -B "$2" -G "$generator" "-DCMAKE_PREFIX_PATH=$scratch/prefix"
    "$cmake" --build "$2"
    "$2/user"
}
