#include "agent/zygote_main.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agent/agent_fork.h"
#include "agent/agent_main.h"
#include "agent/swarm_plan.h"
#include "agent/zygote_notes.h"
#include "base/json_fields.h"
#include "ipc/fd_passing.h"
#include "os/wait.h"
#include "store/layout.h"

namespace goondan::agent {
namespace {

constexpr int kOrchestratorSocket = 3;
// Each arena that a thread of an agent touches is memory of its own.
constexpr int kMaxArenas = 2;

struct Words {
  std::string bundle = ".";
  std::string swarm = {};
  std::string state_root = {};
};

Result<Words> read_words(int argc, char** argv) {
  Words words;
  const std::array<std::pair<std::string_view, std::string*>, 3> known{
      {{"--bundle", &words.bundle},
       {"--swarm", &words.swarm},
       {"--state-root", &words.state_root}}};
  for (int i = 2; i < argc; i += 2) {
    const auto found = std::ranges::find(known, std::string_view(argv[i]),
                                         [](const auto& word) { return word.first; });
    if (found == known.end() || i + 1 == argc) {
      return Error{.code = ErrorCode::Usage,
                   .message = "'" + std::string(argv[i]) + "' is not understood",
                   .suggestion = "`gdn zygote` is started by `gdn run`."};
    }
    *found->second = argv[i + 1];
  }
  return words;
}

ValueSource::Environment own_environment() {
  ValueSource::Environment variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

class Zygote {
 public:
  Zygote(SwarmPlan plan, std::filesystem::path state_root, const store::CommitHook& after_commit)
      : plan_(std::move(plan)), state_root_(std::move(state_root)), after_commit_(after_commit) {}

  // Until the socket ends.
  void run() {
    while (os::wait_readable(kOrchestratorSocket, Deadline::max()) == os::Wake::Ready) {
      Result<std::optional<ipc::Note>> note = ipc::receive_note(kOrchestratorSocket);
      if (!note.ok()) return;
      if (*note && !tell(answer(**std::move(note)))) return;
    }
  }

  static bool tell(const Json& note) {
    return ipc::send_note(kOrchestratorSocket, to_text(note)).ok();
  }

 private:
  Json answer(ipc::Note note) {
    const Result<Json> parsed = parse_json(note.text, {.max_bytes = ipc::kMaxNoteBytes});
    const Json request = parsed.ok() ? *parsed : Json(nullptr);
    const JsonObject& fields = object_or_empty(request);
    const Result<pid_t> pid = spawn(fields, std::move(note.fd));
    if (pid.ok())
      return JsonObject{{"kind", "spawned"}, {"id", any_field(fields, "id")}, {"pid", *pid}};
    return JsonObject{
        {"kind", "failed"}, {"id", any_field(fields, "id")}, {"error", error_json(pid.error())}};
  }

  Result<pid_t> spawn(const JsonObject& request, os::UniqueFd socket) {
    const std::string name = text_field(request, "agent");
    const std::string folder = text_field(request, "folder");
    std::shared_ptr<const AgentPlan> plan = plan_.find(name);
    if (text_field(request, "kind") != "spawn" || !socket || folder.empty())
      return Error{.code = ErrorCode::Ipc, .message = "this is no request to spawn an agent"};
    if (plan == nullptr) {
      return Error{.code = ErrorCode::AgentNotFound,
                   .message = "there is no agent '" + name + "' in swarm '" + plan_.name + "'"};
    }
    return fork_agent(std::move(socket), [&](os::UniqueFd kept) {
      ::prctl(PR_SET_NAME, ("gdn:" + name).c_str());  // for `ps`; cut to what fits
      return run_agent({.plan = std::move(plan),
                        .instance_key = text_field(request, "instanceKey"),
                        .folder = folder,
                        .cwd = text_field(request, "cwd"),
                        .state_root = state_root_,
                        .socket = std::move(kept),
                        .after_commit = after_commit_});
    });
  }

  SwarmPlan plan_;
  std::filesystem::path state_root_;
  const store::CommitHook& after_commit_;
};

// What a terminal sends is for the orchestrator; it tells the others.
void ignore_signals() {
  for (const int number : {SIGPIPE, SIGINT, SIGHUP, SIGQUIT})
    ::signal(number, SIG_IGN);
}

}  // namespace

int run_zygote(int argc, char** argv, const store::CommitHook& after_commit) {
  const Result<Words> words = read_words(argc, argv);
  if (!words.ok()) {
    std::fprintf(stderr, "%s\n%s\n", words.error().message.c_str(),
                 words.error().suggestion.c_str());
    return 2;
  }
  ignore_signals();
  ::fcntl(kOrchestratorSocket, F_SETFD, FD_CLOEXEC);
  ::mallopt(M_ARENA_MAX, kMaxArenas);
  PlanReport report = plan_swarm(words->bundle, words->swarm, own_environment());
  if (!report.plan) {
    Zygote::tell(failed_note(*report.failure));
    return 1;
  }
  const Json note = loaded_note(*report.plan);
  if (to_text(note).size() > ipc::kMaxNoteBytes) {
    Zygote::tell(failed_note(
        {.error = {.code = ErrorCode::Limit, .message = "the swarm has too many agents"}}));
    return 1;
  }
  Zygote zygote(*std::move(report.plan), store::state_root(words->state_root), after_commit);
  ::malloc_trim(0);
  if (Zygote::tell(note)) zygote.run();
  return 0;
}

}  // namespace goondan::agent
