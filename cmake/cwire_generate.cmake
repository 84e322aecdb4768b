# SPDX-License-Identifier: MIT
# cwire_generate(TARGET name
#                PROTOS a.proto dir/b.proto ...
#                [IMPORT_DIRS dir ...]      where imports are looked for; default: the current source dir
#                [OUT_DIR dir]              default: <current binary dir>/cwire
#                [OPTIONS json=off ...])    each becomes a --cwire_opt
#
# Runs protoc with protoc-gen-cwire at build time: for each of PROTOS when it or what it imports has
# changed, and once for all of them together, which writes nothing that is used but finds names that
# meet in two of the files. If TARGET exists its sources grow by the generated code;
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

# Sets `out` to the files of the import directories that `proto` imports, at any depth. They are
# looked for when CMake runs, and CMake runs again when one of them changes.
function(cwire_proto_imports out proto)
    set(found "")
    set(queue "${proto}")
    while(queue)
        list(POP_FRONT queue file)
        if(NOT EXISTS "${file}")
            continue() # made by the build
        endif()
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
        file(STRINGS "${file}" lines REGEX "import")
        foreach(line IN LISTS lines)
            if(NOT line MATCHES "^[ \t]*import[ \t]+([a-z]+[ \t]+)?[\"']([^\"']+)[\"']")
                continue()
            endif()
            foreach(dir IN LISTS ARGN)
                set(import "${dir}/${CMAKE_MATCH_2}")
                if(EXISTS "${import}")
                    if(NOT import IN_LIST found)
                        list(APPEND found "${import}")
                        list(APPEND queue "${import}")
                    endif()
                    break()
                endif()
            endforeach()
        endforeach()
    endwhile()
    set(${out} "${found}" PARENT_SCOPE)
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
    set(command "${CWIRE_PROTOC}" ${flags}
        "--plugin=protoc-gen-cwire=$<TARGET_FILE:cwire::protoc-gen-cwire>")
    file(MAKE_DIRECTORY "${arg_OUT_DIR}")
    set(inputs "")
    set(outputs "")
    foreach(proto IN LISTS arg_PROTOS)
        cmake_path(ABSOLUTE_PATH proto BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        list(APPEND inputs "${proto}")
        cwire_relative_proto(relative "${proto}" ${dirs})
        string(REGEX REPLACE "\\.proto$" "" stem "${relative}")
        set(made "")
        foreach(suffix IN LISTS suffixes)
            list(APPEND made "${arg_OUT_DIR}/${stem}${suffix}")
        endforeach()
        list(APPEND outputs ${made})
        cwire_proto_imports(imports "${proto}" ${dirs})
        add_custom_command(
            OUTPUT ${made}
            COMMAND ${command} "--cwire_out=${arg_OUT_DIR}" "${proto}"
            DEPENDS "${proto}" ${imports} cwire::protoc-gen-cwire
            COMMENT "cwire: ${relative}"
            VERBATIM)
    endforeach()

    list(LENGTH inputs count)
    if(count GREATER 1)
        set(check "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/cwire_${arg_TARGET}")
        file(MAKE_DIRECTORY "${check}")
        add_custom_command(
            OUTPUT "${check}.checked"
            COMMAND ${command} "--cwire_out=${check}" ${inputs}
            COMMAND "${CMAKE_COMMAND}" -E touch "${check}.checked"
            DEPENDS ${inputs} cwire::protoc-gen-cwire
            COMMENT "cwire: names of ${arg_TARGET}"
            VERBATIM)
        list(APPEND outputs "${check}.checked")
    endif()
    if(NOT TARGET ${arg_TARGET})
        add_library(${arg_TARGET} STATIC)
    endif()
    target_sources(${arg_TARGET} PRIVATE ${outputs})
    target_include_directories(${arg_TARGET} PUBLIC "$<BUILD_INTERFACE:${arg_OUT_DIR}>")
    target_link_libraries(${arg_TARGET} PUBLIC cwire::cwire)
endfunction()
