# SPDX-License-Identifier: MIT
# `cmake --install`: the plugin, both libraries, the headers, the CMake package and cwire.pc.
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cwire)
install(TARGETS cwire cwire_shared protoc-gen-cwire EXPORT cwire-targets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(CWIRE_BUILD_NET)
    install(TARGETS cwire_net cwire_net_shared
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/net/include/cwire
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/cwire
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT cwire-targets NAMESPACE cwire:: DESTINATION ${config_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cwire-config.cmake.in
    ${PROJECT_BINARY_DIR}/cwire-config.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cwire-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cwire-config.cmake
              ${PROJECT_BINARY_DIR}/cwire-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/cwire_generate.cmake
        DESTINATION ${config_dir})

# Relative, so that what is installed can be moved (and staged with DESTDIR or --prefix).
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
configure_file(${PROJECT_SOURCE_DIR}/cmake/cwire.pc.in ${PROJECT_BINARY_DIR}/cwire.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cwire.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
