#!/bin/sh
# SPDX-License-Identifier: MIT
# cwire as a part of another project, by add_subdirectory and by FetchContent: runtime and plugin are
# built, nothing else, and the project's own build type stays.
. "$(dirname "$0")/common.sh"
for way in add_subdirectory FetchContent; do
    dir=$scratch/$way
    rm -rf "$dir"
    cp -R cmake "$dir"
    {
        echo 'cmake_minimum_required(VERSION 3.25)'
        echo 'project(letter LANGUAGES C)'
        if [ $way = FetchContent ]; then
            echo 'include(FetchContent)'
            echo "FetchContent_Declare(cwire SOURCE_DIR \"$source\")"
            echo 'FetchContent_MakeAvailable(cwire)'
        else
            echo "add_subdirectory(\"$source\" cwire)"
        fi
        echo 'add_executable(letter main.c)'
        echo 'cwire_generate(TARGET letter PROTOS letter.proto)'
    } >"$dir/CMakeLists.txt"
    "$cmake" -S "$dir" -B "$dir/build" >"$dir/log"
    "$cmake" --build "$dir/build" --parallel 2 >>"$dir/log"
    says "$letter" "$dir/build/letter"
    [ -z "$(find "$dir/build" -name 'cwire-bench' -o -name 'runtime.*')" ] || {
        echo "FAILED: $way builds the bench or tests"
        exit 1
    }
    grep -q '^CMAKE_BUILD_TYPE:STRING=$' "$dir/build/CMakeCache.txt" || {
        echo "FAILED: $way sets the project's build type"
        exit 1
    }
done
