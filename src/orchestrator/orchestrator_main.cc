#include "orchestrator/orchestrator_main.h"

#include <cstdio>
#include <string>
#include <sys/resource.h>

#include "orchestrator/arguments.h"
#include "orchestrator/handover.h"
#include "orchestrator/loop.h"
#include "orchestrator/orchestrator.h"

namespace goondan::orchestrator {
namespace {

constexpr int kUsageExit = 2;

int fail(const Error& error) {
  std::fprintf(stderr, "[%s] %s\n", std::string(error.code_text()).c_str(), error.message.c_str());
  return error.code == ErrorCode::Usage ? kUsageExit : 1;
}

// Each agent takes two descriptors. Returns the limit that was.
std::optional<std::uint64_t> raise_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return before;
}

Result<Handover> first_handover(const Arguments& arguments) {
  const std::optional<std::uint64_t> open_files = raise_open_files();
  if (arguments.handover) return take_handover(*arguments.handover);
  Handover handover{.soft_open_files = open_files};
  handover.owner = inherited_owner();
  return handover;
}

}  // namespace

int run_orchestrator(int argc, char** argv, const store::CommitHook& after_commit) {
  const Result<Arguments> arguments = parse_arguments(argc, argv);
  if (!arguments.ok()) return fail(arguments.error());
  Result<Handover> before = first_handover(*arguments);
  if (!before.ok()) return fail(before.error());
  while (true) {
    const Result<std::unique_ptr<Loop>> loop = Loop::make();
    if (!loop.ok()) return fail(loop.error());
    Ended ended = Orchestrator(**loop, *arguments, after_commit, *std::move(before)).run();
    if (!ended.next) return ended.exit_code;
    const Error error = replace_program(arguments->words, *ended.next);
    // Still the old program: it goes on by itself.
    before = *std::move(ended.next);
    before->problem = error.message;
  }
}

}  // namespace goondan::orchestrator
