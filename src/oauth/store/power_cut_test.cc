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

  // The store opens and holds one of `allowed`, whole, and goes on from there.
  void expect_one_of(const std::vector<std::string>& allowed) {
    const auto store = try_open();
    ASSERT_TRUE(store.ok()) << store.error().message;
    const std::string found = all_of(**store);
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), found), allowed.end()) << found;
    write(**store, grant(), "later");
    EXPECT_EQ(read(**store, grant()), "later");
    const auto health = (*store)->check();
    ASSERT_TRUE(health.ok());
    EXPECT_TRUE(health->quarantined.empty());
  }
};

TEST_F(OAuthPowerCutTest, LeavesTheOldOrTheNewRecord) {
  const auto calls = std::make_shared<RecordingCalls>();
  const std::vector<Moment> moments = live(calls);
  ASSERT_EQ(moments.back().content, "three (none)");
  std::set<std::pair<DiskState, std::string>> seen;
  std::size_t next = 0;  // the first moment that has not come yet
  for (std::size_t count = 0; count <= calls->steps.size(); ++count) {
    SCOPED_TRACE(count);
    while (next < moments.size() && moments[next].steps <= count)
      ++next;
    // A change that was answered is durable; one that is going on has happened or not.
    std::vector<std::string> allowed{moments[next - 1].content};
    if (next < moments.size() && count > moments[next - 1].steps)
      allowed.push_back(moments[next].content);
    for (const DiskState& state : states_after(calls->steps, count)) {
      if (!seen.insert({state, allowed.front() + allowed.back()}).second) continue;
      lay_down(state);
      expect_one_of(allowed);
      if (HasFailure()) FAIL() << "after step " << count << " of " << calls->steps.size();
    }
  }
  RecordProperty("states", static_cast<int>(seen.size()));
  EXPECT_GT(seen.size(), 200U);
}

}  // namespace
}  // namespace goondan::oauth
