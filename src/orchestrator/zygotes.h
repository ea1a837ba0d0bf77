// The zygote that agents are forked from, and the one that may replace it.
//
// A changed bundle is loaded by a zygote of its own, the candidate; only if that succeeds it takes
// the place of the current one. Confined to the loop.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/redactor.h"
#include "orchestrator/arguments.h"
#include "orchestrator/instances.h"
#include "orchestrator/loop.h"
#include "orchestrator/zygote_link.h"

namespace goondan::orchestrator {

// Why a bundle could not be loaded.
struct LoadFailure {
  Error error = {};
  Json diagnostics = nullptr;
};

class ZygotesListener {
 public:
  virtual ~ZygotesListener() = default;
  virtual void on_spawned(std::uint64_t spawn, pid_t pid) = 0;
  virtual void on_spawn_failed(std::uint64_t spawn, const Error& error) = 0;
  // What this link was asked to spawn will not come.
  virtual void on_link_gone(std::uint64_t link) = 0;
  // The current zygote has ended; there is none until a candidate is taken.
  virtual void on_zygote_lost(const std::string& how) = 0;
};

class Zygotes final : public ZygoteListener, public Spawner {
 public:
  // `failure` null: the candidate is loaded, and is to be taken or dropped within the call.
  using Loaded = std::function<void(const LoadFailure* failure)>;

  Zygotes(Loop& loop, const Arguments& arguments, std::optional<std::uint64_t> soft_open_files,
          Redactor& redactor, ZygotesListener& listener);
  ~Zygotes() override;

  // Where agents have their folders; known once the first bundle is loaded.
  void set_workspace_folder(std::filesystem::path folder) { folder_ = std::move(folder); }

  // Loads the bundle as it is now; the redactor learns the secrets of its environment. One after
  // another, if several are asked for.
  void load_candidate(Loaded loaded);
  // Whether one is asked for that has not begun: it will see all that has changed up to now.
  [[nodiscard]] bool load_waits() const { return waiting_.size() > 1; }
  [[nodiscard]] const LoadedBundle& candidate() const { return *candidate_->bundle(); }
  // The candidate becomes the current one.
  void take_candidate();
  // Ends all of them. Not within `Loaded`.
  void end();

  [[nodiscard]] bool has_current() const { return current_ != nullptr; }
  // Of the current zygote, or of the one that was lost.
  [[nodiscard]] const LoadedBundle& bundle() const { return bundle_; }
  [[nodiscard]] std::set<pid_t> pids() const;

  std::optional<SpawnTicket> spawn(const InstanceName& instance, const std::string& cwd,
                                   os::UniqueFd socket) override;

 private:
  void on_loaded(std::uint64_t link) override;
  void on_load_failed(std::uint64_t link, const Error& error, const Json& diagnostics) override;
  void on_spawned(std::uint64_t spawn, pid_t pid) override;
  void on_spawn_failed(std::uint64_t spawn, const Error& error) override;
  void on_zygote_gone(std::uint64_t link, const std::string& how) override;

  Result<std::unique_ptr<ZygoteLink>> start();
  void start_next();
  void tell(const LoadFailure* failure);
  void retire(std::unique_ptr<ZygoteLink> link);

  Loop& loop_;
  const Arguments& arguments_;
  std::optional<std::uint64_t> soft_open_files_;
  Redactor& redactor_;
  ZygotesListener& listener_;
  std::filesystem::path folder_;
  std::unique_ptr<ZygoteLink> current_;
  std::unique_ptr<ZygoteLink> candidate_;
  std::deque<Loaded> waiting_;  // the first one's candidate is being loaded
  LoadedBundle bundle_;
  std::uint64_t last_link_ = 0;
  std::uint64_t last_spawn_ = 0;
  std::vector<std::unique_ptr<ZygoteLink>> retired_;  // destroyed when no call of theirs runs
};

}  // namespace goondan::orchestrator
