# SPDX-License-Identifier: MIT
# The C++ contenders (CWIRE_BENCH_CXX): contenders/cxx/NAME.cc, each when its library is there.
# Adds to the lists of the CMakeLists.txt that includes this.

# bench_cxx(NAME DEFINE PACKAGE header [library]): sets bench_cxx_found.
function(bench_cxx name define package header)
    set(bench_cxx_found OFF PARENT_SCOPE)
    find_path(BENCH_${define}_INCLUDE_DIR ${header})
    set(library "")
    if(ARGN)
        find_library(BENCH_${define}_LIBRARY ${ARGN})
        set(library ${BENCH_${define}_LIBRARY})
    endif()
    if(NOT BENCH_${define}_INCLUDE_DIR OR (ARGN AND NOT library))
        message(STATUS "C++ contender ${name} is left out: ${package} is not installed")
        return()
    endif()
    message(STATUS "C++ contender ${name} takes part")
    set(bench_cxx_found ON PARENT_SCOPE)
    set(sources ${sources} ${CMAKE_CURRENT_SOURCE_DIR}/contenders/cxx/${name}.cc PARENT_SCOPE)
    set(optional_libraries ${optional_libraries} ${library} PARENT_SCOPE)
    set(optional_defines ${optional_defines} BENCH_HAVE_${define}=1 PARENT_SCOPE)
endfunction()

bench_cxx(protobuf PROTOBUF_CXX libprotobuf-dev google/protobuf/message.h protobuf)
if(bench_cxx_found)
    file(GLOB protos CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/schemas/*.proto)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/protobuf_cxx)
    set(classes "")
    foreach(proto IN LISTS protos)
        cmake_path(GET proto STEM stem)
        list(APPEND classes ${out}/${stem}.pb.cc)
    endforeach()
    file(MAKE_DIRECTORY ${out})
    add_custom_command(
        OUTPUT ${classes}
        COMMAND ${CWIRE_PROTOC} -I${PROJECT_SOURCE_DIR}/schemas --cpp_out=${out} ${protos}
        DEPENDS ${protos}
        COMMENT "C++ protobuf: generating"
        VERBATIM)
    add_library(cwire_schemas_pb STATIC ${classes})
    target_compile_features(cwire_schemas_pb PRIVATE cxx_std_20)
    target_compile_options(cwire_schemas_pb PRIVATE -w) # protoc's code is not ours to mend
    target_include_directories(cwire_schemas_pb PRIVATE ${out})
    # All of it: the classes register themselves, and nothing refers to them by name.
    list(PREPEND optional_libraries $<LINK_LIBRARY:WHOLE_ARCHIVE,cwire_schemas_pb>)
endif()
bench_cxx(rapidjson RAPIDJSON rapidjson-dev rapidjson/reader.h)
bench_cxx(simdjson SIMDJSON libsimdjson-dev simdjson.h simdjson)
