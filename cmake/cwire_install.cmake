# SPDX-License-Identifier: MIT
# `cmake --install`: the programs and their man pages, the libraries, the headers, the CMake package
# and cwire.pc. `cpack -G DEB` makes a Debian package of the same.
include(CMakePackageConfigHelpers)

# cwire_install_man(NAME): docs/man/NAME.1.in with the version put in, compressed.
function(cwire_install_man name)
    set(page ${PROJECT_BINARY_DIR}/man/${name}.1)
    set(packed ${page}.gz)
    configure_file(${PROJECT_SOURCE_DIR}/docs/man/${name}.1.in ${page} @ONLY)
    file(ARCHIVE_CREATE OUTPUT ${packed} PATHS ${page} FORMAT raw COMPRESSION GZip MTIME 0)
    install(FILES ${packed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cwire)
install(TARGETS cwire cwire_shared protoc-gen-cwire EXPORT cwire-targets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(CWIRE_BUILD_NET)
    install(TARGETS cwire_net cwire_net_shared EXPORT cwire-net-targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT cwire-net-targets NAMESPACE cwire:: DESTINATION ${config_dir})
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindLibuv.cmake DESTINATION ${config_dir})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/net/include/cwire
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endif()
if(CWIRE_BUILD_BENCH)
    install(TARGETS cwire-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    cwire_install_man(cwire-bench)
endif()
cwire_install_man(protoc-gen-cwire)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
        RENAME copyright)
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
if(CWIRE_BUILD_NET)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/cwire_net.pc.in ${PROJECT_BINARY_DIR}/cwire_net.pc
                   @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cwire_net.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# One package with everything in it.
if(PROJECT_IS_TOP_LEVEL)
    set(CPACK_PACKAGE_NAME cwire)
    set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
    set(CPACK_PACKAGE_CONTACT "cwire maintainers <maintainers@localhost>")
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
    set(CPACK_STRIP_FILES ON)
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "protobuf-compiler")
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc | c-compiler, protobuf-c-compiler, libprotobuf-c-dev")
    include(CPack)
endif()
