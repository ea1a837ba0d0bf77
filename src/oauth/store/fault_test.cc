// Every system call fails once, in every way that it can. REQ: R15
#include <cerrno>
#include <functional>

#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

enum class Fault { Eio, Enospc, Interrupted, Short };

// Makes the `n`-th call from `arm(n)` on go wrong.
class FaultyCalls : public UnsyncedCalls {
 public:
  explicit FaultyCalls(Fault fault) : fault_(fault) {}
  void arm(int n) { left_ = n; }
  [[nodiscard]] bool fired() const { return left_ == 0; }

  int open_at(int folder, const char* name, int flags, mode_t mode) override {
    return fails(Kind::Waiting) ? -1 : FileCalls::open_at(folder, name, flags, mode);
  }
  int stat(int file, struct stat* about) override {
    return fails(Kind::Quick) ? -1 : FileCalls::stat(file, about);
  }
  ssize_t read(int file, char* bytes, std::size_t size) override {
    return fails(Kind::Moving) ? -1 : FileCalls::read(file, bytes, part_of(size));
  }
  ssize_t write(int file, const char* bytes, std::size_t size) override {
    return fails(Kind::Moving) ? -1 : FileCalls::write(file, bytes, part_of(size));
  }
  int sync(int file) override { return fails(Kind::Waiting) ? -1 : UnsyncedCalls::sync(file); }
  int rename_at(int from_folder, const char* from, int to_folder, const char* to,
                unsigned flags) override {
    return fails(Kind::Quick) ? -1 : FileCalls::rename_at(from_folder, from, to_folder, to, flags);
  }
  int unlink_at(int folder, const char* name, int flags) override {
    return fails(Kind::Quick) ? -1 : FileCalls::unlink_at(folder, name, flags);
  }
  int make_folder_at(int folder, const char* name, mode_t mode) override {
    return fails(Kind::Quick) ? -1 : FileCalls::make_folder_at(folder, name, mode);
  }

 private:
  // Which calls a signal can interrupt, and which can do a part of the work.
  enum class Kind { Quick, Waiting, Moving };

  bool fails(Kind kind) {
    cut_ = false;
    if (left_ <= 0 || --left_ > 0) return false;
    cut_ = fault_ == Fault::Short && kind == Kind::Moving;
    errno = fault_ == Fault::Interrupted ? EINTR : fault_ == Fault::Enospc ? ENOSPC : EIO;
    if (fault_ == Fault::Interrupted) return kind != Kind::Quick;
    return fault_ != Fault::Short;
  }
  [[nodiscard]] std::size_t part_of(std::size_t size) const { return cut_ ? (size + 1) / 2 : size; }

  Fault fault_;
  int left_ = -1;
  bool cut_ = false;
};

class OAuthFaultTest : public OAuthStoreTest, public testing::WithParamInterface<Fault> {
 protected:
  using Step = std::function<Result<void>(Store&)>;

  // What is there, as text: the grant and the session.
  static std::string all_of(const Store& store) {
    return read(store, grant()) + " " + read(store, session());
  }

  void start_anew() {
    fs::remove_all(folder);
    write(*open(), grant(), "old");
  }

  static void expect_clear(const Error& error) {
    EXPECT_TRUE(error.code == ErrorCode::Store || error.code == ErrorCode::StoreFull)
        << error.message;
    EXPECT_EQ(error.code == ErrorCode::StoreFull, GetParam() == Fault::Enospc) << error.message;
    EXPECT_EQ((error.message + error.suggestion).find(kCanary), std::string::npos);
  }

  // Fails each call of `step` in turn: afterwards there is what was there before, after a success
  // `after`; and the step can be repeated.
  void fail_each_call(const Step& step, const std::string& after) {
    for (int n = 1;; ++n) {
      SCOPED_TRACE(n);
      start_anew();
      const auto calls = std::make_shared<FaultyCalls>(GetParam());
      const auto store = open(calls);
      const std::string before = all_of(*store);
      calls->arm(n);
      const Result<void> done = step(*store);
      const bool fired = calls->fired();
      calls->arm(-1);
      if (!done.ok()) expect_clear(done.error());
      EXPECT_EQ(all_of(*store), done.ok() ? after : before);
      const auto fresh = open();
      EXPECT_EQ(all_of(*fresh), done.ok() ? after : before);
      const bool harmless = GetParam() == Fault::Interrupted || GetParam() == Fault::Short;
      EXPECT_TRUE(done.ok() || !harmless);
      EXPECT_TRUE(done.ok() || step(*store).ok());
      EXPECT_EQ(all_of(*fresh), after);
      EXPECT_EQ(fresh->check().value().quarantined.size(), 0U);
      EXPECT_FALSE(finds_canary());
      if (!fired || HasFailure()) return;
    }
  }
};

Result<void> without_value(const auto& result) {
  return result.ok() ? Result<void>() : Result<void>(result.error());
}

TEST_P(OAuthFaultTest, OfAChange) {
  fail_each_call(
      [](Store& store) {
        const auto old = store.get(grant());
        if (!old.ok()) return Result<void>(old.error());
        return without_value(store.put(grant(), text_of("new"), (*old)->generation));
      },
      "new (none)");
}

TEST_P(OAuthFaultTest, OfANewRecord) {
  fail_each_call(
      [](Store& store) { return without_value(store.put(session(), text_of("new"), 0)); },
      "old new");
}

TEST_P(OAuthFaultTest, OfARemoval) {
  fail_each_call([](Store& store) { return store.remove(grant()); }, "(none) (none)");
}

TEST_P(OAuthFaultTest, OfAReading) {
  fail_each_call([](Store& store) { return without_value(store.get(grant())); }, "old (none)");
}

TEST_P(OAuthFaultTest, OfANewKey) {
  fail_each_call([](Store& store) { return without_value(store.rotate_key()); }, "old (none)");
}

TEST_P(OAuthFaultTest, OfACheck) {
  fail_each_call([](Store& store) { return without_value(store.check()); }, "old (none)");
}

TEST_P(OAuthFaultTest, OfTheFirstOpening) {
  for (int n = 1;; ++n) {
    SCOPED_TRACE(n);
    fs::remove_all(folder);
    const auto calls = std::make_shared<FaultyCalls>(GetParam());
    calls->arm(n);
    const auto opened = try_open(calls);
    if (!opened.ok()) expect_clear(opened.error());
    const auto store = open();
    write(*store, grant(), "one");
    EXPECT_EQ(read(*open(), grant()), "one");
    if (!calls->fired() || HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, OAuthFaultTest,
                         testing::Values(Fault::Eio, Fault::Enospc, Fault::Interrupted,
                                         Fault::Short));

}  // namespace
}  // namespace goondan::oauth
