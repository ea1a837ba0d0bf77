# gdn_room(NAME SOURCES files... USES rooms...): one room of `src` as a library of its own, so that
# the linker, too, sees who uses whom. `goondan` below is all of them in one archive.
set(GDN_ROOMS "" CACHE INTERNAL "")

# Rooms that read, print and wait for others are compiled with less optimization: on two cores the
# whole build must fit into the time of a test run, and this takes a fifth off theirs.
set(GDN_QUIET_ROOMS cli model policy resource)

# Most of the time for a small source goes into reading the precompiled header. So the sources of a
# target are compiled several at a time; whoever works on them turns that off (see CONTRIBUTING.md).
# Those in `cmake/Apart.cmake`, whose names clash with others of their target, have batches of their own.
option(GDN_BATCHES "compile several sources at a time" OFF)
set(GDN_BATCH_SIZE 16)
include(${CMAKE_CURRENT_LIST_DIR}/Apart.cmake)

# gdn_make_batches(TARGET GROUP files...): as few batches as the size allows, all about as large.
function(gdn_make_batches target group)
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + ${GDN_BATCH_SIZE} - 1) / ${GDN_BATCH_SIZE}")
  set(index 0)
  foreach(source IN LISTS ARGN)
    math(EXPR batch "${index} * ${batches} / ${count}")
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group}${batch})
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()

# Once all is read: folders below a room's add sources to it.
function(gdn_compile_in_batches target)
  cmake_language(EVAL CODE
    "cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL gdn_batch_sources ${target})")
endfunction()

function(gdn_batch_sources target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GDN_BATCHES} UNITY_BUILD_MODE GROUP)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  set(together "")
  set(apart "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE OUTPUT_VARIABLE file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    if(name IN_LIST GDN_APART)
      list(APPEND apart ${file})
    elseif(NOT name IN_LIST GDN_ALONE)
      list(APPEND together ${file})
    endif()
  endforeach()
  gdn_make_batches(${target} batch ${together})
  gdn_make_batches(${target} apart ${apart})
endfunction()

function(gdn_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES" ${ARGN})
  set(target goondan_${room})
  add_library(${target} STATIC ${ARG_SOURCES})
  list(TRANSFORM ARG_USES PREPEND goondan_)
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE goondan_options PUBLIC goondan_dependencies ${ARG_USES})
  if(room IN_LIST GDN_QUIET_ROOMS AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(room STREQUAL "base")
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/precompiled.h)
  else()
    target_precompile_headers(${target} REUSE_FROM goondan_base)
  endif()
  gdn_compile_in_batches(${target})
  set(GDN_ROOMS ${GDN_ROOMS} ${room} CACHE INTERNAL "")
endfunction()

# The tests themselves need no optimizing, and it would take two thirds of the time to compile them.
set(GDN_TEST_OPTIONS -O0)

# What is a test or part of one: not optimized, with the tests' precompiled header.
function(gdn_compile_as_test target)
  target_compile_definitions(${target} PRIVATE GTEST_HAS_PTHREAD=1)  # as the header was compiled
  target_compile_options(${target} PRIVATE ${GDN_TEST_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM goondan_test_headers)
endfunction()

# With each test as an entry a run takes longer by thousands of processes; it is for whoever looks
# for tests that depend on each other.
option(GDN_EACH_TEST "make each test of a unit-test program an entry of ctest" OFF)

# gdn_add_unit_test(PROGRAM PARTS SECONDS): an entry `unit.PROGRAM`, or several that share its tests.
# Those that take long come first, so that nothing waits for them at the end.
function(gdn_add_unit_test name parts seconds)
  math(EXPR last "${parts} - 1")
  math(EXPR cost "${seconds} / ${parts}")
  foreach(part RANGE ${last})
    set(entry unit.${name})
    if(parts GREATER 1)
      math(EXPR number "${part} + 1")
      string(APPEND entry .${number})
    endif()
    add_test(NAME ${entry} COMMAND ${name})
    set_tests_properties(${entry} PROPERTIES TIMEOUT 600 LABELS unit COST ${cost}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part}")
  endforeach()
endfunction()

# gdn_test(NAME SOURCES files... USES rooms... [PARTS n] [SECONDS n]): a GoogleTest program, run as
# one entry of ctest, or as several if it takes long.
function(gdn_test name)
  if(NOT GDN_DEVELOP)
    return()
  endif()
  cmake_parse_arguments(ARG "" "PARTS;SECONDS" "SOURCES;USES" ${ARGN})
  list(TRANSFORM ARG_USES PREPEND goondan_)
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE goondan_options ${ARG_USES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    GDN_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data" GDN_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gdn_compile_as_test(${name})
  gdn_compile_in_batches(${name})
  if(GDN_EACH_TEST)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 120 LABELS unit)
    return()
  endif()
  if(NOT ARG_PARTS)
    set(ARG_PARTS 1)
  endif()
  if(NOT ARG_SECONDS)
    set(ARG_SECONDS 1)
  endif()
  gdn_add_unit_test(${name} ${ARG_PARTS} ${ARG_SECONDS})
endfunction()

# gdn_fuzz(NAME SOURCE file USES rooms...): with the fuzz preset a libFuzzer program, otherwise a
# ctest entry that replays the kept corpus `tests/fuzz/corpus/NAME`.
function(gdn_fuzz name)
  if(NOT GDN_DEVELOP)
    return()
  endif()
  cmake_parse_arguments(ARG "" "SOURCE" "USES" ${ARGN})
  list(TRANSFORM ARG_USES PREPEND goondan_)
  set(target fuzz_${name})
  add_executable(${target} ${ARG_SOURCE})
  target_link_libraries(${target} PRIVATE goondan_options ${ARG_USES})
  if(GDN_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_link_libraries(${target} PRIVATE goondan_fuzz_replay)
    gdn_compile_as_test(${target})
    add_test(NAME fuzz.${name}
      COMMAND ${target} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 300 LABELS fuzz)
  endif()
endfunction()

if(GDN_DEVELOP)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # Exists for its precompiled header, which every test uses.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cc "")
  add_library(goondan_test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cc)
  target_include_directories(goondan_test_headers PRIVATE include)
  target_link_libraries(goondan_test_headers PRIVATE goondan_options goondan_dependencies
    GTest::gmock)
  target_compile_options(goondan_test_headers PRIVATE ${GDN_TEST_OPTIONS})
  target_precompile_headers(goondan_test_headers PRIVATE src/precompiled.h <gtest/gtest.h>)
  # The main function of a fuzz target that replays its corpus.
  add_library(goondan_fuzz_replay STATIC tests/fuzz/replay_main.cc)
  target_link_libraries(goondan_fuzz_replay PRIVATE goondan_options)
endif()
