// Disks that are full or cannot be written to.
#include <array>
#include <csignal>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "store/instance_store.h"
#include "store/journal.h"
#include "store/store_test.h"

namespace goondan::store {
namespace {

MessageEvent append(std::string id) {
  return {.message = {.id = std::move(id), .json = std::string(4'000, 'x')}};
}

// A disk of its own for this process, seen by no other.
bool mount_disk(const std::filesystem::path& place, const char* size) {
  const std::string map = "0 " + std::to_string(::geteuid()) + " 1";
  const bool root = ::geteuid() == 0;
  if (::unshare(root ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  if (!root) put("/proc/self/uid_map", map);
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", place.c_str(), "tmpfs", 0, size) == 0;
}

bool make_read_only(const std::filesystem::path& place) {
  return ::mount("none", place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

// Reports from a child, where the framework's own expectations are not heard.
#define REQUIRE(...)                                                               \
  if (!(__VA_ARGS__)) {                                                            \
    std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
    return false;                                                                  \
  }

template <class T>
bool is_full(const Result<T>& result) {
  if (!result.ok()) std::fprintf(stderr, "%s\n", result.error().message.c_str());
  return !result.ok() && result.error().code == ErrorCode::StoreFull;
}

constexpr int kNoNamespaces = 77;

class FullDiskTest : public StoreTest {
 protected:
  // Runs `work` in a child that has a small disk at `folder`.
  void on_small_disk(const char* size, const std::function<bool()>& work) const {
    const int status = in_child([&] {
      if (!mount_disk(folder, size)) ::_exit(kNoNamespaces);
      return work();
    });
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNoNamespaces)
      GTEST_SKIP() << "needs the right to make a mount namespace";
    EXPECT_EQ(status, 0);
  }

  // Writes until the disk is full, then makes room and goes on.
  [[nodiscard]] bool fills_up() const {
    put(folder / "ballast", std::string(50'000, 'b'));
    auto opened = InstanceStore::open(folder / "i", soon());
    REQUIRE(opened.ok());
    InstanceStore& store = **opened;
    std::size_t written = 0;
    Result<void> last = {};
    while (written < 1'000 && (last = store.append(std::array{append("a"), append("b")})).ok())
      ++written;
    REQUIRE(is_full(last));
    REQUIRE(written > 0 && store.events().value().size() == written * 2);
    REQUIRE(is_full(store.append(std::array{append("c"), append("d")})));
    std::filesystem::remove(folder / "ballast");
    REQUIRE(store.append(std::array{append("e"), append("f")}).ok());
    REQUIRE(store.events().value().size() == written * 2 + 2);
    opened->reset();
    const auto again = InstanceStore::open(folder / "i", Clock::now());
    REQUIRE(again.ok() && (*again)->events().value().size() == written * 2 + 2);
    return true;
  }
};

TEST_F(FullDiskTest, AFullDiskIsSaidAndNothingIsLost) {
  on_small_disk("size=1m", [&] { return fills_up(); });
}

TEST_F(FullDiskTest, ANewInstanceOnAFullDiskIsRefusedAndComesOnceThereIsRoom) {
  on_small_disk("size=256k", [&] {
    put(folder / "ballast", std::string(250'000, 'b'));
    REQUIRE(is_full(InstanceStore::open(folder / "i", Clock::now())));
    REQUIRE(is_full(Journal::open(folder / "w")));
    std::filesystem::remove(folder / "ballast");
    REQUIRE(InstanceStore::open(folder / "i", Clock::now()).ok());
    std::filesystem::remove_all(folder / "i");
    REQUIRE(Journal::open(folder / "w").ok());
    return true;
  });
}

TEST_F(FullDiskTest, TheJournalRefusesWhatItCannotKeep) {
  on_small_disk("size=512k", [&] {
    Journal journal = Journal::open(folder / "w").value();
    Result<Journal::Accepted> last = Journal::Accepted::New;
    std::size_t accepted = 0;
    for (; last.ok() && accepted < 1'000; ++accepted)
      last = journal.accept({.id = std::to_string(accepted), .payload = std::string(3'000, 'x')});
    REQUIRE(is_full(last));
    REQUIRE(journal.unfinished().value().size() == accepted - 1);
    return true;
  });
}

TEST_F(FullDiskTest, AFileThatMayNotGrowIsAFullDisk) {
  const int status = in_child([&] {
    auto store = InstanceStore::open(folder / "i", soon()).value();
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{.rlim_cur = 150'000, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::size_t written = 0;
    Result<void> last = {};
    while (written < 1'000 && (last = store->append(std::array{append("a")})).ok())
      ++written;
    REQUIRE(is_full(last));
    REQUIRE(store->events().value().size() == written);
    limit.rlim_cur = RLIM_INFINITY;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    REQUIRE(store->append(std::array{append("b")}).ok());
    return true;
  });
  EXPECT_EQ(status, 0);
}

// Reading needs no right to write: of a store that was closed, and of one whose owner was killed.
TEST_F(FullDiskTest, AReadOnlyDiskCanBeRead) {
  on_small_disk("size=4m", [&] {
    const std::filesystem::path closed = folder / "odd ?#% name";
    REQUIRE(InstanceStore::open(closed, soon()).value()->append(std::array{append("a")}).ok());
    const int killed = in_child([&] {
      auto store = InstanceStore::open(folder / "killed", soon()).value();
      REQUIRE(store->append(std::array{append("a")}).ok());
      ::_exit(0);
    });
    REQUIRE(killed == 0);
    REQUIRE(make_read_only(folder));
    for (const std::filesystem::path& place : {closed, folder / "killed"}) {
      const auto reader = InstanceStore::open_for_reading(place);
      REQUIRE(reader.ok() && (*reader)->events().value().size() == 1);
      const auto owner = InstanceStore::open(place, Clock::now());
      REQUIRE(!owner.ok() && owner.error().code == ErrorCode::Store);
    }
    return true;
  });
}

}  // namespace
}  // namespace goondan::store
