// SPDX-License-Identifier: Apache-2.0
// The program kvcheck.
#include "cli/command_line.hpp"

int main(int argc, char** argv) { return kvcheck::run_command_line(argc, argv); }
