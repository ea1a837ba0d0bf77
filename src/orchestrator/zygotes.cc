#include "orchestrator/zygotes.h"

#include "orchestrator/bundle_environment.h"
#include "os/own_program.h"
#include "store/layout.h"

namespace goondan::orchestrator {

Zygotes::Zygotes(Loop& loop, const Arguments& arguments,
                 std::optional<std::uint64_t> soft_open_files, Redactor& redactor,
                 ZygotesListener& listener)
    : loop_(loop),
      arguments_(arguments),
      soft_open_files_(soft_open_files),
      redactor_(redactor),
      listener_(listener) {}

Zygotes::~Zygotes() = default;

Result<std::unique_ptr<ZygoteLink>> Zygotes::start() {
  const std::filesystem::path program = GDN_TRY(os::own_program());
  AgentEnvironment environment = GDN_TRY(agent_environment(arguments_.bundle, arguments_.env_file));
  for (const std::string& secret : environment.secrets)
    redactor_.add_secret(secret);
  ZygoteLink::Options options{
      .id = ++last_link_,
      .argv = {program.string(), "zygote", "--bundle", arguments_.bundle.string(), "--state-root",
               arguments_.state_root.string()},
      .environment = std::move(environment.entries),
      .environment_fingerprint = std::move(environment.fingerprint),
      .soft_open_files = soft_open_files_};
  if (!arguments_.swarm.empty()) {
    options.argv.insert(options.argv.end(), {"--swarm", arguments_.swarm});
  }
  return ZygoteLink::start(loop_, *this, std::move(options));
}

void Zygotes::load_candidate(Loaded loaded) {
  waiting_.push_back(std::move(loaded));
  if (waiting_.size() == 1) loop_.defer([this] { start_next(); });
}

void Zygotes::start_next() {
  if (waiting_.empty() || candidate_) return;
  Result<std::unique_ptr<ZygoteLink>> link = start();
  if (link.ok()) {
    candidate_ = *std::move(link);
    return;
  }
  const LoadFailure failure{.error = link.error()};
  tell(&failure);
}

void Zygotes::tell(const LoadFailure* failure) {
  const Loaded loaded = std::move(waiting_.front());
  waiting_.pop_front();
  loaded(failure);
  retire(std::move(candidate_));
  if (!waiting_.empty()) loop_.defer([this] { start_next(); });
}

void Zygotes::take_candidate() {
  if (current_) listener_.on_link_gone(current_->id());
  retire(std::move(current_));
  current_ = std::move(candidate_);
  bundle_ = *current_->bundle();
}

void Zygotes::retire(std::unique_ptr<ZygoteLink> link) {
  if (!link) return;
  retired_.push_back(std::move(link));
  loop_.defer([this] { retired_.clear(); });
}

void Zygotes::end() {
  waiting_.clear();
  candidate_.reset();
  current_.reset();
  retired_.clear();
}

std::set<pid_t> Zygotes::pids() const {
  std::set<pid_t> pids;
  if (current_) pids.insert(current_->pid());
  if (candidate_) pids.insert(candidate_->pid());
  for (const auto& link : retired_)
    pids.insert(link->pid());
  return pids;
}

std::optional<SpawnTicket> Zygotes::spawn(const InstanceName& instance, const std::string& cwd,
                                          os::UniqueFd socket) {
  if (!current_) return std::nullopt;
  SpawnTicket ticket{.spawn = ++last_spawn_,
                     .link = current_->id(),
                     .fingerprint = bundle_.fingerprint(instance.agent)};
  const AgentSpawn agent{
      .agent = instance.agent,
      .instance_key = instance.key,
      .folder = store::instance_folder(folder_, instance.agent, instance.key).string(),
      .cwd = cwd};
  const Result<void> asked = current_->spawn(ticket.spawn, agent, std::move(socket));
  if (!asked.ok()) {
    loop_.defer([this, number = ticket.spawn, error = asked.error()] {
      listener_.on_spawn_failed(number, error);
    });
  }
  return ticket;
}

void Zygotes::on_loaded(std::uint64_t) {
  tell(nullptr);
}

void Zygotes::on_load_failed(std::uint64_t, const Error& error, const Json& diagnostics) {
  const LoadFailure failure{.error = error, .diagnostics = diagnostics};
  tell(&failure);
}

void Zygotes::on_spawned(std::uint64_t spawn, pid_t pid) {
  listener_.on_spawned(spawn, pid);
}

void Zygotes::on_spawn_failed(std::uint64_t spawn, const Error& error) {
  listener_.on_spawn_failed(spawn, error);
}

void Zygotes::on_zygote_gone(std::uint64_t link, const std::string& how) {
  listener_.on_link_gone(link);
  if (!current_ || current_->id() != link) return;
  retire(std::move(current_));
  listener_.on_zygote_lost(how);
}

}  // namespace goondan::orchestrator
