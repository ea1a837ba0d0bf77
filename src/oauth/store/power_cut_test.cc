// Every state that a power cut could leave, at every step of every change. REQ: R16
#include <algorithm>

#include "oauth/store/crash_disk.h"
#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

class OAuthPowerCutTest : public OAuthStoreTest {
 protected:
  struct Moment {
    std::size_t steps = 0;     // recorded until then
    std::string content = {};  // of the store
  };

  static std::string all_of(const Store& store) {
    return read(store, grant()) + " " + read(store, session());
  }

  // Records a life of the store, and after each change what there was.
  std::vector<Moment> live(const std::shared_ptr<RecordingCalls>& calls) {
    std::vector<Moment> moments{{0, "(none) (none)"}};
    const auto store = open(calls);
    const auto note = [&](std::string_view what, bool done) {
      EXPECT_TRUE(done) << what;
      moments.push_back({calls->steps.size(), all_of(*store)});
    };
    note("opening", true);
    note("new grant", write(*store, grant(), "one") > 0);
    note("change", write(*store, grant(), "two") > 0);
    note("new session", write(*store, session(), "a") > 0);
    note("new key", store->rotate_key().ok());
    note("change with the new key", write(*store, grant(), "three") > 0);
    note("removal", store->remove(session()).ok());
    note("check", store->check().ok());
    return moments;
  }

  void lay_down(const DiskState& state) const {
    fs::remove_all(folder);
    for (const auto& [path, content] : state) {
      if (content) {
        set_bytes(path, *content);
        fs::permissions(path, fs::perms(0600));
      } else {
        fs::create_directory(path);
        fs::permissions(path, fs::perms(0700));
      }
    }
  }

  // Why the store that was laid down is wrong: it opens and holds one of `allowed`, whole, and goes
  // on from there. Empty if all that is so.
  std::string problem(const std::vector<std::string>& allowed) {
    const auto store = try_open();
    if (!store.ok()) return store.error().message;
    const std::string found = all_of(**store);
    if (std::find(allowed.begin(), allowed.end(), found) == allowed.end()) return "holds " + found;
    write(**store, grant(), "later");
    if (read(**store, grant()) != "later") return "does not go on";
    const auto health = (*store)->check();
    if (!health.ok()) return health.error().message;
    return health->quarantined.empty() ? "" : "has moved a file aside";
  }

  struct Findings {
    std::set<std::pair<DiskState, std::vector<std::string>>> states = {};
    std::vector<std::string> problems = {};
  };

  // Lays down every state that a power cut after `count` steps can leave.
  void cut_after(std::size_t count, const std::vector<DiskStep>& steps,
                 const std::vector<std::string>& allowed, Findings& findings) {
    for (const DiskState& state : states_after(steps, count)) {
      if (!findings.states.insert({state, allowed}).second) continue;
      lay_down(state);
      const std::string wrong = problem(allowed);
      if (!wrong.empty())
        findings.problems.push_back("after step " + std::to_string(count) + ": " + wrong);
    }
  }

  Findings cut_everywhere(const std::vector<DiskStep>& steps, const std::vector<Moment>& moments) {
    Findings findings;
    std::size_t next = 0;  // the first moment that has not come yet
    for (std::size_t count = 0; count <= steps.size(); ++count) {
      while (next < moments.size() && moments[next].steps <= count)
        ++next;
      // A change that was answered is durable; one that is going on has happened or not.
      std::vector<std::string> allowed{moments[next - 1].content};
      if (next < moments.size() && count > moments[next - 1].steps)
        allowed.push_back(moments[next].content);
      cut_after(count, steps, allowed, findings);
    }
    return findings;
  }
};

TEST_F(OAuthPowerCutTest, LeavesTheOldOrTheNewRecord) {
  const auto calls = std::make_shared<RecordingCalls>();
  const std::vector<Moment> moments = live(calls);
  ASSERT_EQ(moments.back().content, "three (none)");
  const Findings findings = cut_everywhere(calls->steps, moments);
  EXPECT_EQ(findings.problems, std::vector<std::string>());
  EXPECT_GT(findings.states.size(), 200U);
}

// Without one kind of step, this test does find states that are wrong.
TEST_F(OAuthPowerCutTest, EverySyncIsNeeded) {
  const auto calls = std::make_shared<RecordingCalls>();
  const std::vector<Moment> moments = live(calls);
  for (const DiskStep::Kind kind : {DiskStep::Kind::SyncFile, DiskStep::Kind::SyncFolder}) {
    std::vector<DiskStep> steps = calls->steps;
    for (DiskStep& step : steps)
      if (step.kind == kind) step = {.kind = DiskStep::Kind::Write};  // of nothing
    const std::size_t some = moments[3].steps;
    steps.resize(some);
    EXPECT_FALSE(cut_everywhere(steps, moments).problems.empty());
  }
}

}  // namespace
}  // namespace goondan::oauth
