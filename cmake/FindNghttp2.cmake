# SPDX-License-Identifier: MIT
# Defines Nghttp2::Nghttp2 from header and library alone. Debian package: libnghttp2-dev.
# It must know the reset rate limit (CVE-2023-44487), which is looked for by its symbol:
# distributions carry it under older version numbers.
include(FindPackageHandleStandardArgs)
include(CheckSymbolExists)
find_path(Nghttp2_INCLUDE_DIR nghttp2/nghttp2.h)
find_library(Nghttp2_LIBRARY nghttp2)
mark_as_advanced(Nghttp2_INCLUDE_DIR Nghttp2_LIBRARY)
if(Nghttp2_INCLUDE_DIR AND Nghttp2_LIBRARY)
    set(CMAKE_REQUIRED_INCLUDES ${Nghttp2_INCLUDE_DIR})
    set(CMAKE_REQUIRED_LIBRARIES ${Nghttp2_LIBRARY})
    check_symbol_exists(nghttp2_option_set_stream_reset_rate_limit nghttp2/nghttp2.h
                        Nghttp2_HAS_RESET_LIMIT)
    check_symbol_exists(nghttp2_option_set_max_continuations nghttp2/nghttp2.h
                        Nghttp2_HAS_CONTINUATION_LIMIT)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
find_package_handle_standard_args(Nghttp2 REQUIRED_VARS
    Nghttp2_LIBRARY Nghttp2_INCLUDE_DIR Nghttp2_HAS_RESET_LIMIT Nghttp2_HAS_CONTINUATION_LIMIT)
if(Nghttp2_FOUND AND NOT TARGET Nghttp2::Nghttp2)
    add_library(Nghttp2::Nghttp2 UNKNOWN IMPORTED)
    set_target_properties(Nghttp2::Nghttp2 PROPERTIES
        IMPORTED_LOCATION "${Nghttp2_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Nghttp2_INCLUDE_DIR}")
endif()
