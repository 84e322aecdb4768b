# SPDX-License-Identifier: MIT
# cwire_pbc_library(target PREFIX p IMPORT_DIR dir PROTOS file...): protobuf-c's code for the
# schemas, made at build time, as a static library. It defines p_pbc_types[] and p_pbc_type_count
# (see bench/tools/pbc_generate.sh, which also says what happens to a schema protoc-c cannot take).
find_package(ProtobufC REQUIRED)
find_program(CWIRE_PROTOC protoc REQUIRED)
find_program(CWIRE_PROTOC_GEN_C NAMES protoc-gen-c REQUIRED)

add_executable(codegen_io ${PROJECT_SOURCE_DIR}/bench/tools/codegen_io.c)
cwire_our_code(codegen_io)

function(cwire_pbc_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;IMPORT_DIR" "PROTOS")
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${target})
    set(registry ${out}/${arg_PREFIX}_pbc_registry.c)
    set(script ${PROJECT_SOURCE_DIR}/bench/tools/pbc_generate.sh)
    add_custom_command(
        OUTPUT ${registry}
        COMMAND ${script} ${CWIRE_PROTOC} ${CWIRE_PROTOC_GEN_C} $<TARGET_FILE:codegen_io>
                ${CMAKE_C_COMPILER} ${out} ${arg_PREFIX} ${arg_IMPORT_DIR} ${arg_PROTOS}
        DEPENDS ${arg_PROTOS} ${script} codegen_io
        COMMENT "protobuf-c: generating for ${target}"
        VERBATIM)
    add_library(${target} STATIC ${registry})
    target_compile_options(${target} PRIVATE -w) # protoc-c's code is not ours to mend
    target_include_directories(${target} PUBLIC ${out})
    target_link_libraries(${target} PUBLIC ProtobufC::ProtobufC)
endfunction()
