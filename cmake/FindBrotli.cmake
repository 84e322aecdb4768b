# SPDX-License-Identifier: MIT
# Defines Brotli::Brotli (encoder, decoder, common) from headers and libraries alone.
# Debian package: libbrotli-dev.
include(FindPackageHandleStandardArgs)
find_path(Brotli_INCLUDE_DIR brotli/encode.h)
find_library(Brotli_ENC_LIBRARY brotlienc)
find_library(Brotli_DEC_LIBRARY brotlidec)
find_library(Brotli_COMMON_LIBRARY brotlicommon)
mark_as_advanced(Brotli_INCLUDE_DIR Brotli_ENC_LIBRARY Brotli_DEC_LIBRARY Brotli_COMMON_LIBRARY)
find_package_handle_standard_args(Brotli REQUIRED_VARS
    Brotli_ENC_LIBRARY Brotli_DEC_LIBRARY Brotli_COMMON_LIBRARY Brotli_INCLUDE_DIR)
if(Brotli_FOUND AND NOT TARGET Brotli::Brotli)
    add_library(Brotli::Brotli INTERFACE IMPORTED)
    set_target_properties(Brotli::Brotli PROPERTIES
        INTERFACE_LINK_LIBRARIES
            "${Brotli_ENC_LIBRARY};${Brotli_DEC_LIBRARY};${Brotli_COMMON_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Brotli_INCLUDE_DIR}")
endif()
