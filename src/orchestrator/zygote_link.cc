#include "orchestrator/zygote_link.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/resource.h>

#include "base/json_fields.h"
#include "ipc/fd_passing.h"

namespace goondan::orchestrator {
namespace {

constexpr int kZygoteSocket = 3;  // its number in the zygote
constexpr std::chrono::milliseconds kLastWords{200};

LoadedBundle loaded_bundle(const JsonObject& note, const std::string& environment) {
  LoadedBundle bundle{.swarm = text_field(note, "swarm"),
                      .workspace = text_field(note, "workspace"),
                      .entry_agent = text_field(note, "entryAgent"),
                      .warnings = any_field(note, "warnings")};
  if (const auto grace = integer_field(note, "shutdownGraceMs"); grace && *grace >= 0) {
    bundle.shutdown_grace = std::chrono::milliseconds(*grace);
  }
  if (const JsonArray* agents = array_field(note, "agents")) {
    for (const Json& value : *agents) {
      const JsonObject& agent = object_or_empty(value);
      bundle.agents.push_back({.name = text_field(agent, "name"),
                               .fingerprint = text_field(agent, "fingerprint") + environment});
    }
  }
  return bundle;
}

void limit_open_files(pid_t pid, std::uint64_t soft) {
  rlimit limit{};
  if (::prlimit(pid, RLIMIT_NOFILE, nullptr, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(soft, limit.rlim_max);
  ::prlimit(pid, RLIMIT_NOFILE, &limit, nullptr);
}

}  // namespace

std::string LoadedBundle::fingerprint(std::string_view agent) const {
  const auto found = std::ranges::find(agents, agent, &Agent::name);
  return found == agents.end() ? std::string() : found->fingerprint;
}

ZygoteLink::ZygoteLink(Loop& loop, ZygoteListener& listener, Options options, os::Child child,
                       os::UniqueFd socket)
    : loop_(loop),
      listener_(listener),
      options_(std::move(options)),
      child_(std::move(child)),
      socket_(std::move(socket)) {}

Result<std::unique_ptr<ZygoteLink>> ZygoteLink::start(Loop& loop, ZygoteListener& listener,
                                                      Options options) {
  auto [ours, its] = GDN_TRY(ipc::make_note_pair());
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  os::Child child =
      GDN_TRY(os::Child::spawn({.argv = options.argv,
                                .environment = options.environment,
                                .fds = {{.source = its.get(), .target = kZygoteSocket}},
                                .leads = os::ChildOptions::Leads::Nothing}));
  if (options.soft_open_files) limit_open_files(child.pid(), *options.soft_open_files);
  std::unique_ptr<ZygoteLink> link(
      new ZygoteLink(loop, listener, std::move(options), std::move(child), std::move(ours)));
  GDN_TRY(link->watch());
  return link;
}

Result<void> ZygoteLink::watch() {
  watch_ = GDN_TRY(
      loop_.watch(socket_.get(), EPOLLIN, [this](std::uint32_t events) { on_ready(events); }));
  timer_ = loop_.at(Clock::now() + kLoadTime,
                    [this] { fail("has not loaded the bundle within a minute"); });
  return {};
}

Result<void> ZygoteLink::spawn(std::uint64_t spawn, const AgentSpawn& agent, os::UniqueFd socket) {
  if (life_ == Life::Over || !bundle_) {
    return Error{.code = ErrorCode::AgentStart, .message = "the zygote is not running"};
  }
  JsonObject note{{"kind", "spawn"},
                  {"id", spawn},
                  {"agent", agent.agent},
                  {"instanceKey", agent.instance_key},
                  {"folder", agent.folder}};
  if (!agent.cwd.empty()) note["cwd"] = agent.cwd;
  std::string text = to_text(note);
  if (text.size() > ipc::kMaxNoteBytes || waiting_.size() >= kMaxWaitingSpawns) {
    return Error{.code = ErrorCode::Limit,
                 .message = "agent '" + agent.agent + "' cannot be started: too much is asked for"};
  }
  waiting_.push_back({.text = std::move(text), .socket = std::move(socket)});
  asked_.insert(spawn);
  if (asked_.size() == 1) await_answers();
  send_waiting();
  return {};
}

void ZygoteLink::send_waiting() {
  while (!waiting_.empty()) {
    const Outgoing& next = waiting_.front();
    // A zygote that is gone shows when reading; one whose socket is full becomes writable.
    if (!ipc::send_note(socket_.get(), next.text, next.socket.get()).ok()) break;
    waiting_.pop_front();
  }
  watch_.want(waiting_.empty() ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

// Each answer gives the next one the whole time again.
void ZygoteLink::await_answers() {
  timer_.cancel();
  if (asked_.empty()) return;
  timer_ = loop_.at(Clock::now() + kSpawnTime, [this] { fail("does not start agents any more"); });
}

void ZygoteLink::on_ready(std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) send_waiting();
  if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) receive();
}

void ZygoteLink::receive() {
  while (life_ == Life::Running) {
    const Result<std::optional<ipc::Note>> note = ipc::receive_note(socket_.get());
    if (!note.ok()) {
      const std::optional<os::ExitStatus> status = child_.wait(Clock::now() + kLastWords);
      return fail("ended (" + (status ? status->text() : "it closed its socket") + ")");
    }
    if (!*note) return;
    on_note((*note)->text);
  }
}

void ZygoteLink::on_note(std::string_view text) {
  const Result<Json> parsed = parse_json(text, {.max_bytes = ipc::kMaxNoteBytes});
  if (!parsed.ok() || !parsed->is_object()) return fail("speaks no JSON");
  const JsonObject& note = parsed->get_object();
  if (bundle_) return on_answer(note);
  on_first_note(note);
}

void ZygoteLink::on_first_note(const JsonObject& note) {
  timer_.cancel();
  if (text_field(note, "kind") == "loaded") {
    bundle_ = loaded_bundle(note, options_.environment_fingerprint);
    return listener_.on_loaded(id());
  }
  life_ = Life::Over;
  watch_.end();
  listener_.on_load_failed(id(), error_from(any_field(note, "error")),
                           any_field(note, "diagnostics"));
}

void ZygoteLink::on_answer(const JsonObject& note) {
  const std::int64_t id = integer_field(note, "id").value_or(-1);
  if (id < 0 || asked_.erase(static_cast<std::uint64_t>(id)) == 0) return;
  await_answers();
  const auto spawn = static_cast<std::uint64_t>(id);
  if (text_field(note, "kind") == "spawned") {
    listener_.on_spawned(spawn, static_cast<pid_t>(integer_field(note, "pid").value_or(-1)));
  } else {
    listener_.on_spawn_failed(spawn, error_from(any_field(note, "error")));
  }
}

void ZygoteLink::fail(const std::string& how) {
  if (life_ == Life::Over) return;
  life_ = Life::Over;
  watch_.end();
  timer_.cancel();
  waiting_.clear();
  asked_.clear();
  if (bundle_) return listener_.on_zygote_gone(id(), how);
  listener_.on_load_failed(id(),
                           {.code = ErrorCode::AgentStart,
                            .message = "the process that loads the bundle " + how,
                            .suggestion = "Run `gdn validate`, and look at what it printed."},
                           nullptr);
}

}  // namespace goondan::orchestrator
