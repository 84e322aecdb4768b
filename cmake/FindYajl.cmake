# SPDX-License-Identifier: MIT
# Defines Yajl::Yajl from header and library alone (no pkg-config). Debian package: libyajl-dev.
include(FindPackageHandleStandardArgs)
find_path(Yajl_INCLUDE_DIR yajl/yajl_gen.h)
find_library(Yajl_LIBRARY yajl)
mark_as_advanced(Yajl_INCLUDE_DIR Yajl_LIBRARY)
find_package_handle_standard_args(Yajl REQUIRED_VARS Yajl_LIBRARY Yajl_INCLUDE_DIR)
if(Yajl_FOUND AND NOT TARGET Yajl::Yajl)
    add_library(Yajl::Yajl UNKNOWN IMPORTED)
    set_target_properties(Yajl::Yajl PROPERTIES
        IMPORTED_LOCATION "${Yajl_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Yajl_INCLUDE_DIR}")
endif()
