# SPDX-License-Identifier: MIT
# cwire_test_support: what several rooms share, from tests/support.
function(cwire_add_test_support)
    file(GLOB sources CONFIGURE_DEPENDS ${CWIRE_TESTS_DIR}/support/*.c)
    add_library(cwire_test_support STATIC ${sources})
    cwire_our_code(cwire_test_support)
    target_include_directories(cwire_test_support PUBLIC ${CWIRE_TESTS_DIR}/support)
    target_link_libraries(cwire_test_support PUBLIC cwire Cmocka::Cmocka)
endfunction()

# cwire_test_room(room [LIBS target...] [INCLUDES dir...] [DEFINES NAME...]
#                 [SIZE_LIBS target...] [SIZE_OBJECTS target...]): each test_MODULE.c of tests/ROOM
# becomes the program and CTest ROOM.MODULE; the room's other .c files are a library for all of them.
# The native build and the cross builds (tests/cross) share this. Tests find their world in the
# environment: CWIRE_SOURCE_DIR always; CWIRE_PLUGIN and CWIRE_PROTOC natively. They run with a
# fresh working directory of their own. With SIZE_LIBS each program is linked a second time, as
# ROOM_size.MODULE: the same objects (also those of SIZE_OBJECTS) with the code that was generated
# with optimize=size.
function(cwire_test_room room)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS;INCLUDES;DEFINES;SIZE_LIBS;SIZE_OBJECTS")
    set(objects "")
    foreach(target IN LISTS arg_SIZE_OBJECTS)
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
    set(dir ${CWIRE_TESTS_DIR}/${room})
    file(GLOB support CONFIGURE_DEPENDS ${dir}/*.c)
    list(FILTER support EXCLUDE REGEX "/test_[^/]*\\.c$")
    if(support)
        add_library(${room}_support STATIC ${support})
        cwire_our_code(${room}_support)
        target_include_directories(${room}_support PUBLIC ${dir} ${arg_INCLUDES})
        target_compile_definitions(${room}_support PRIVATE ${arg_DEFINES})
        target_link_libraries(${room}_support PUBLIC ${arg_LIBS} Cmocka::Cmocka)
        list(PREPEND arg_LIBS ${room}_support)
        list(APPEND objects $<TARGET_OBJECTS:${room}_support>)
    endif()
    file(GLOB tests CONFIGURE_DEPENDS ${dir}/test_*.c)
    foreach(test IN LISTS tests)
        string(REGEX REPLACE ".*/test_([^/]*)\\.c$" "${room}.\\1" name "${test}")
        add_executable(${name} ${test})
        cwire_our_code(${name})
        target_include_directories(${name} PRIVATE ${dir} ${arg_INCLUDES})
        target_compile_definitions(${name} PRIVATE ${arg_DEFINES})
        target_link_libraries(${name} PRIVATE ${arg_LIBS} Cmocka::Cmocka)
        cwire_add_room_test(${name})
        if(arg_SIZE_LIBS)
            string(REPLACE "${room}." "${room}_size." size_name ${name})
            add_executable(${size_name} $<TARGET_OBJECTS:${name}> ${objects})
            cwire_our_code(${size_name})
            set_target_properties(${size_name} PROPERTIES LINKER_LANGUAGE C)
            target_link_libraries(${size_name} PRIVATE ${arg_SIZE_LIBS} Cmocka::Cmocka)
            cwire_add_room_test(${size_name})
        endif()
    endforeach()
endfunction()

function(cwire_add_room_test name)
    set(run_dir ${CMAKE_CURRENT_BINARY_DIR}/run/${name})
    file(MAKE_DIRECTORY ${run_dir})
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${run_dir})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT 300 ENVIRONMENT "${CWIRE_TEST_ENVIRONMENT}")
endfunction()
