# SPDX-License-Identifier: MIT
# Defines Llhttp::Llhttp: the library of libllhttp-dev (Debian 13) where there is one, else (and then
# Llhttp_OBJECTS is set) the C sources that the package node-llhttp (Debian 12) ships, compiled here
# in strict mode: who links it takes up its objects.
include(FindPackageHandleStandardArgs)
find_library(Llhttp_LIBRARY llhttp)
find_path(Llhttp_INCLUDE_DIR llhttp.h PATH_SUFFIXES llhttp
          HINTS /usr/share/include /usr/local/share/include)
find_path(Llhttp_SOURCE_DIR llhttp.c HINTS /usr/share/llhttp /usr/share/nodejs/llhttp/build/c)
mark_as_advanced(Llhttp_LIBRARY Llhttp_INCLUDE_DIR Llhttp_SOURCE_DIR)
if(Llhttp_LIBRARY)
    set(Llhttp_CODE ${Llhttp_LIBRARY})
elseif(Llhttp_SOURCE_DIR)
    set(Llhttp_CODE ${Llhttp_SOURCE_DIR})
endif()
find_package_handle_standard_args(Llhttp REQUIRED_VARS Llhttp_CODE Llhttp_INCLUDE_DIR)
if(Llhttp_FOUND AND NOT TARGET Llhttp::Llhttp)
    if(Llhttp_LIBRARY)
        add_library(Llhttp::Llhttp UNKNOWN IMPORTED)
        set_target_properties(Llhttp::Llhttp PROPERTIES
            IMPORTED_LOCATION "${Llhttp_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${Llhttp_INCLUDE_DIR}")
    else()
        set(Llhttp_OBJECTS ON)
        add_library(cwire_llhttp OBJECT
            ${Llhttp_SOURCE_DIR}/llhttp.c ${Llhttp_SOURCE_DIR}/api.c ${Llhttp_SOURCE_DIR}/http.c)
        target_include_directories(cwire_llhttp SYSTEM PUBLIC ${Llhttp_INCLUDE_DIR})
        target_compile_definitions(cwire_llhttp PUBLIC LLHTTP_STRICT_MODE=1)
        target_compile_options(cwire_llhttp PRIVATE -w)
        set_target_properties(cwire_llhttp PROPERTIES
            POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
        add_library(Llhttp::Llhttp ALIAS cwire_llhttp)
    endif()
endif()
