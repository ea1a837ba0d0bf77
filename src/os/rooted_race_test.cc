// Somebody swaps a folder and a link, and a file and a link, as fast as the machine allows, while
// each verb works on the path. Nothing outside is ever read or changed.
//
// GDN_RACE_ROUNDS sets the number of rounds for each verb and way of resolving; 200000 is a full
// run.
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <thread>

#include "os/rooted_test.h"

namespace goondan::os {
namespace {

constexpr int kDefaultRounds = 20'000;

int rounds() {
  const char* text = std::getenv("GDN_RACE_ROUNDS");
  return text == nullptr ? kDefaultRounds : std::atoi(text);
}

class RootedRace : public RootedTest {
 protected:
  void SetUp() override {
    // In memory, where a sync costs nothing, if there is such a place.
    std::string name = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
    name += "/race_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
    work = folder / "work";
    put("dir/x", "inside");
    put("file", "inside");
    put("out/x", "outside", folder);
    put("out/secret", "outside", folder);
    link("dir-swap", folder / "out");
    link("file-swap", "../out/x");
    reopen();
    attacker_ = std::jthread([this](const std::stop_token& stop) { attack(stop); });
  }

  void TearDown() override {
    attacker_ = {};
    EXPECT_EQ(names_in(folder / "out"), (std::vector<std::string>{"secret", "x"}));
    EXPECT_EQ(bytes_of(folder / "out/x"), "outside");
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"out", "work"}));
    EXPECT_GT(passed_, 0) << "the attack never left the path alone";
    EXPECT_GT(refused_, 0) << "the attack never hit";
    RootedTest::TearDown();
  }

  void note(bool passed) { ++(passed ? passed_ : refused_); }

 private:
  void attack(const std::stop_token& stop) const {
    const std::string at = work.string() + "/";
    while (!stop.stop_requested()) {
      for (const std::string& name : {at + "dir", at + "file"}) {
        const std::string swap = name + "-swap";
        ASSERT_EQ(::renameat2(AT_FDCWD, name.c_str(), AT_FDCWD, swap.c_str(), RENAME_EXCHANGE), 0);
      }
    }
  }

  int passed_ = 0;
  int refused_ = 0;
  std::jthread attacker_;  // last, so that it ends before the rest goes
};

GDN_BOTH_WAYS(RootedRace);

// REQ: R12
TEST_P(RootedRace, ReadsNothingOutside) {
  for (int i = 0; i < rounds(); ++i) {
    const Result<FileContent> content = read(i % 2 == 0 ? "dir/x" : "file");
    ASSERT_TRUE(!content.ok() || content->bytes == "inside");
    note(content.ok());
  }
}

// REQ: R12
TEST_P(RootedRace, WritesNothingOutside) {
  for (int i = 0; i < rounds(); ++i) {
    const char* path = i % 3 == 0 ? "dir/x" : i % 3 == 1 ? "file" : "dir/p/q";
    note(write(path, "inside", i % 2 == 0 ? WriteMode::Replace : WriteMode::Append).ok());
  }
}

// REQ: R12
TEST_P(RootedRace, ListsNothingOutside) {
  for (int i = 0; i < rounds(); ++i) {
    ListOptions options;
    if (i % 2 == 0) options.depth = ListOptions::Depth::All;
    const Result<Listing> listing = list(i % 2 == 0 ? "." : "dir", options);
    note(listing.ok() &&
         (i % 2 != 0 || std::ranges::find(listing->entries, "dir/x", &ListEntry::path) !=
                            listing->entries.end()));
    if (!listing.ok()) continue;
    for (const ListEntry& entry : listing->entries)
      ASSERT_FALSE(entry.path.ends_with("secret"));
  }
}

// REQ: R12
TEST_P(RootedRace, MakesNoFolderOutside) {
  for (int i = 0; i < rounds(); ++i) {
    const char* path = i % 2 == 0 ? "dir/m/n" : "dir/k";
    note(make(path, i % 2 == 0 ? Parents::Make : Parents::MustExist).ok());
    if (i % 16 == 0) {
      for (const char* name : {"dir", "dir-swap"}) {
        const UniqueFd real(::open((work / name).c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        ::unlinkat(real.get(), "m/n", AT_REMOVEDIR);
        ::unlinkat(real.get(), "m", AT_REMOVEDIR);
        ::unlinkat(real.get(), "k", AT_REMOVEDIR);
      }
    }
  }
}

}  // namespace
}  // namespace goondan::os
