// SPDX-License-Identifier: Apache-2.0
// One line makes a program of a subject: KVCHECK_SUITE(MyAttention) at namespace scope defines
// main(). The program judges a default-constructed MyAttention, which derives from
// kvcheck::Subject, by all properties, each of them a GoogleTest test, and takes all arguments of
// kvcheck (--help, replay FILE, --in-process) and of GoogleTest. Exit codes: 0 all held,
// 1 a property failed, 2 bad usage or input, 3 distrusted.
#pragma once

#include "cli/command_line.hpp"
#include "impl/admission.hpp"
#include "impl/subject.hpp"

// NOLINTNEXTLINE(bugprone-macro-parentheses): a type cannot stand in parentheses
#define KVCHECK_SUITE(Type)                                                                       \
    int main(int argc, char** argv) {                                                             \
        const kvcheck::SubjectEntry own = {#Type, "this program's own",                           \
                                           [](std::string) -> std::unique_ptr<kvcheck::Subject> { \
                                               return std::make_unique<Type>();                   \
                                           }};                                                    \
        return kvcheck::run_command_line(argc, argv, &own);                                       \
    }
