# SPDX-License-Identifier: MIT
# Initial cache (cmake -C) of build-test/sanitize, the tree of the sanitizer tests and of the
# libFuzzer programs: clang, AddressSanitizer and UndefinedBehaviorSanitizer, coverage for fuzzing.
find_program(clang clang REQUIRED NO_CACHE)
set(CMAKE_C_COMPILER "${clang}" CACHE FILEPATH "")
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
set(CMAKE_C_FLAGS -O1 CACHE STRING "")
set(CWIRE_SANITIZE address,undefined,float-cast-overflow CACHE STRING "")
set(CWIRE_FUZZ ON CACHE BOOL "")
