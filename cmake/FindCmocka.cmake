# SPDX-License-Identifier: MIT
# Defines Cmocka::Cmocka from header and library alone (no pkg-config). Debian package: libcmocka-dev.
include(FindPackageHandleStandardArgs)
find_path(Cmocka_INCLUDE_DIR cmocka.h)
find_library(Cmocka_LIBRARY cmocka)
mark_as_advanced(Cmocka_INCLUDE_DIR Cmocka_LIBRARY)
find_package_handle_standard_args(Cmocka REQUIRED_VARS Cmocka_LIBRARY Cmocka_INCLUDE_DIR)
if(Cmocka_FOUND AND NOT TARGET Cmocka::Cmocka)
    add_library(Cmocka::Cmocka UNKNOWN IMPORTED)
    set_target_properties(Cmocka::Cmocka PROPERTIES
        IMPORTED_LOCATION "${Cmocka_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Cmocka_INCLUDE_DIR}")
endif()
