# SPDX-License-Identifier: MIT
# cwire_generate(TARGET name
#                PROTOS a.proto dir/b.proto ...
#                [IMPORT_DIRS dir ...]      where imports are looked for; default: the current source dir
#                [OUT_DIR dir]              default: <current binary dir>/cwire
#                [OPTIONS json=off ...])    each becomes a --cwire_opt
#
# Runs protoc with protoc-gen-cwire at build time, once for all PROTOS of the call (so that the
# plugin sees name clashes between them). If TARGET exists its sources grow by the generated code;
# otherwise it is made as a static library. Either way it links cwire and its users find the
# generated headers. A .proto lands in OUT_DIR under the name it has relative to the import
# directory that contains it, wherever that is.

# Sets `out` to `proto` relative to the import directory it lies in (the deepest one that fits).
function(cwire_relative_proto out proto)
    set(best "")
    set(best_length -1)
    foreach(dir IN LISTS ARGN)
        string(LENGTH "${dir}" length)
        cmake_path(IS_PREFIX dir "${proto}" NORMALIZE inside)
        if(inside AND length GREATER best_length)
            cmake_path(RELATIVE_PATH proto BASE_DIRECTORY "${dir}" OUTPUT_VARIABLE best)
            set(best_length ${length})
        endif()
    endforeach()
    if(best_length LESS 0)
        message(FATAL_ERROR "cwire_generate: ${proto} is in none of the import directories: ${ARGN}")
    endif()
    set(${out} "${best}" PARENT_SCOPE)
endfunction()

function(cwire_generate)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;OUT_DIR" "PROTOS;IMPORT_DIRS;OPTIONS")
    if(NOT arg_TARGET OR NOT arg_PROTOS OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "cwire_generate(TARGET name PROTOS file... [IMPORT_DIRS dir...] "
                            "[OUT_DIR dir] [OPTIONS option...])")
    endif()
    if(NOT arg_IMPORT_DIRS)
        set(arg_IMPORT_DIRS "${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    if(NOT arg_OUT_DIR)
        set(arg_OUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/cwire")
    endif()
    cmake_path(ABSOLUTE_PATH arg_OUT_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
    find_program(CWIRE_PROTOC protoc REQUIRED)

    set(dirs "")
    set(flags "")
    foreach(dir IN LISTS arg_IMPORT_DIRS)
        cmake_path(ABSOLUTE_PATH dir BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        list(APPEND dirs "${dir}")
        list(APPEND flags "-I${dir}")
    endforeach()
    foreach(option IN LISTS arg_OPTIONS)
        list(APPEND flags "--cwire_opt=${option}")
    endforeach()

    set(suffixes .cw.h .cw.c .cw_type.c)
    if(NOT "json=off" IN_LIST arg_OPTIONS)
        list(APPEND suffixes .cw_json.c)
    endif()
    if("text=on" IN_LIST arg_OPTIONS)
        list(APPEND suffixes .cw_text.c)
    endif()
    set(inputs "")
    set(outputs "")
    foreach(proto IN LISTS arg_PROTOS)
        cmake_path(ABSOLUTE_PATH proto BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        list(APPEND inputs "${proto}")
        cwire_relative_proto(relative "${proto}" ${dirs})
        string(REGEX REPLACE "\\.proto$" "" stem "${relative}")
        foreach(suffix IN LISTS suffixes)
            list(APPEND outputs "${arg_OUT_DIR}/${stem}${suffix}")
        endforeach()
    endforeach()

    file(MAKE_DIRECTORY "${arg_OUT_DIR}")
    add_custom_command(
        OUTPUT ${outputs}
        COMMAND "${CWIRE_PROTOC}"
                "--plugin=protoc-gen-cwire=$<TARGET_FILE:cwire::protoc-gen-cwire>"
                "--cwire_out=${arg_OUT_DIR}" ${flags} ${inputs}
        DEPENDS ${inputs} cwire::protoc-gen-cwire
        COMMENT "cwire: generating for ${arg_TARGET}"
        VERBATIM)
    if(NOT TARGET ${arg_TARGET})
        add_library(${arg_TARGET} STATIC)
    endif()
    target_sources(${arg_TARGET} PRIVATE ${outputs})
    target_include_directories(${arg_TARGET} PUBLIC "$<BUILD_INTERFACE:${arg_OUT_DIR}>")
    target_link_libraries(${arg_TARGET} PUBLIC cwire::cwire)
endfunction()
