// For tests: a zygote whose bundle is a small JSON file and whose agents do what they are told.
//
// `bundle.json`: `{workspace, agents: {name: fingerprint, ...}, graceMs, error?}`. What an agent
// does with the input of a turn:
//   echo …        answers with it             crash     dies of a signal
//   env NAME      answers with the variable   hang      neither answers nor ends
//   wait FILE     answers once the file is there
//   garbage       writes what is no message   close     closes its socket and goes on
//   orphan        leaves a process of another session behind; answers with its number
//   observe       sends observations, some of which it has no right to; then answers
//   restart       asks for a restart of everything, then answers
// An agent whose name begins with `bad` cannot start; one that begins with `dies` ends before.
#pragma once

namespace goondan::orchestrator::test {

int run_fake_zygote(int argc, char** argv);

}  // namespace goondan::orchestrator::test
