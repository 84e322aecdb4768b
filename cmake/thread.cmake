# SPDX-License-Identifier: MIT
# Initial cache (cmake -C) of build-test/thread: clang and ThreadSanitizer, for programs in which
# server and client run in threads of their own.
find_program(clang clang REQUIRED NO_CACHE)
set(CMAKE_C_COMPILER "${clang}" CACHE FILEPATH "")
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS -O1 CACHE STRING "")
set(CWIRE_SANITIZE thread CACHE STRING "")
set(CWIRE_BUILD_TESTS OFF CACHE BOOL "")
