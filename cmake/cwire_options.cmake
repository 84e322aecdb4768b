# SPDX-License-Identifier: MIT
# How our own code is compiled: the warning list and the sanitizers, in one place.

set(CWIRE_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wcast-qual -Wcast-align -Wpedantic)
if(CWIRE_WERROR)
    list(APPEND CWIRE_WARNINGS -Werror)
endif()

if(CWIRE_NATIVE)
    add_compile_options(-O3 -march=native)
endif()
if(CWIRE_SANITIZE)
    add_compile_options(-fsanitize=${CWIRE_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CWIRE_SANITIZE})
endif()
if(CWIRE_FUZZ)
    # Coverage everywhere; the program with the entry point adds the fuzzer's main itself.
    add_compile_options(-fsanitize=fuzzer-no-link)
    add_link_options(-fsanitize=fuzzer-no-link)
endif()

# Every target made from our own or generated C gets the warnings.
function(cwire_our_code target)
    target_compile_options(${target} PRIVATE ${CWIRE_WARNINGS})
endfunction()
