# The bench at tiny sizes: every row runs, samples of the answers are within the bound, and the table
# is printed. No time is looked at. An engine's wrong answers end the run; what it refuses is told.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# must(CODE COMMAND...): runs it in WORK; OUTPUT is what it said.
function(must code)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result
        OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL code)
        message(FATAL_ERROR "exit ${result}, expected ${code}: ${ARGN}\n${output}")
    endif()
    set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

function(says)
    foreach(part ${ARGN})
        if(NOT OUTPUT MATCHES "${part}")
            message(FATAL_ERROR "no \"${part}\" in\n${OUTPUT}")
        endif()
    endforeach()
endfunction()

set(engine "python3 ${SOURCE}/tests/bench/tiny_engine.py")
must(0 ${BENCH} --tiny --benchmark_out=tiny.json --benchmark_out_format=json
    "--engine=loops=${engine} no_past" --benchmark_filter=-W[24]/loops)
must(0 python3 ${SOURCE}/bench/table.py tiny.json tiny.svg)
foreach(row "W1 . fast" "W2 . fast" "W3 . fast" "W4 . fast" "W7 . fast" "W8 . fast" "W1 . fast-2" "W1 . plain"
        "W1 . eigen-naive" "W4 . eigen-blocked" "W1 . loops")
    says("[|] ${row} [|] [0-9.]+ / [0-9.]+ / [0-9.]+ [|] [0-9]+ % [|] [0-9.]+ [|]")
endforeach()
says("W5 . fast" "W6-256 . fast-recomputed" "decode: time ~ length" "memory of a session: [0-9]"
    "[|] W3 [|] loops [|] refused: no decode steps [|]" "pytorch [|] not compared: not installed")
if(NOT EXISTS ${WORK}/tiny.svg)
    message(FATAL_ERROR "no picture")
endif()

must(1 ${BENCH} --tiny --benchmark_filter=W1/loops "--engine=loops=${engine} late")
says("loops, plain loops is wrong: [0-9.e+]+ times the bound")
must(2 ${BENCH} --tiny --threads=1)
must(2 ${BENCH} --tiny --engine=loops)
must(2 ${BENCH} --tiny --tinier)
