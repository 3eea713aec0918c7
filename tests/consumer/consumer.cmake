# Installs the build into a folder of its own, builds the consumer against it, and runs both
# programs: the right one holds, the other fails with a case that replays through two doors.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# must(CODE COMMAND...): runs it in WORK; OUTPUT is what it said.
function(must code)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result
        OUTPUT_VARIABLE output ERROR_VARIABLE error)
    if(NOT result EQUAL code)
        message(FATAL_ERROR "exit ${result}, expected ${code}: ${ARGN}\n${output}${error}")
    endif()
    set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

must(0 ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
must(0 ${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer -B ${WORK}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
    -DEXAMPLE=${SOURCE}/examples/cpp/attention.cpp)
must(0 ${CMAKE_COMMAND} --build ${WORK}/build)

set(right ${WORK}/build/right)
set(planted ${WORK}/build/planted)
must(0 ${right} --quick --cases 5 --seed consumer)
must(0 ${right} --in-process --quick --seed consumer)
must(0 ${right} --gtest_list_tests)
if(NOT OUTPUT MATCHES "chunks_do_not_matter.\n  cpp_example/attention\n")
    message(FATAL_ERROR "no list of tests: ${OUTPUT}")
endif()
# CTest knows what held, what was skipped, and hands one seed to all.
must(0 ${CMAKE_COMMAND} -E env KVCHECK_SEED=consumer ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build
    -V -R "weights_match|rows_normalise")
foreach(part "weights_match_the_oracle.cpp_example/attention \\.+\\*\\*\\*Skipped"
        "rows_normalise.cpp_example/attention \\.+ +Passed" "seed     consumer\n")
    if(NOT OUTPUT MATCHES "${part}")
        message(FATAL_ERROR "no ${part} in ${OUTPUT}")
    endif()
endforeach()

must(1 ${planted} --fail-fast --seed consumer --corpus none)
file(GLOB saved ${WORK}/counterexamples/*.json)
list(LENGTH saved count)
if(NOT count EQUAL 1)
    message(FATAL_ERROR "saved: ${saved}")
endif()
must(1 ${planted} replay ${saved})
must(1 ${planted} replay ${saved} --in-process)
must(1 ${WORK}/prefix/bin/kvcheck replay ${saved} --subject "exec:${planted} serve Attention")
must(0 ${right} replay ${saved})
must(0 ${WORK}/prefix/bin/kvcheck replay ${saved})
