// Lists: what is in them, in which order, and where they end.
#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/collation.h"
#include "os/rooted_test.h"

namespace goondan::os {
namespace {

class RootedList : public RootedTest {
 protected:
  static ListOptions all() { return {.depth = ListOptions::Depth::All}; }

  static std::vector<std::string> paths(const Result<Listing>& listing) {
    std::vector<std::string> found;
    for (const ListEntry& entry : listing.value().entries)
      found.push_back(entry.path);
    return found;
  }
};

GDN_BOTH_WAYS(RootedList);

using Names = std::vector<std::string>;

TEST_P(RootedList, HoldsFilesAndFoldersHiddenOnesToo) {
  put("b.txt", "1");
  put("e/c.txt", "22");
  put(".hid", "333");
  const Listing listing = list(".").value();
  ASSERT_EQ(listing.entries.size(), 3u);
  EXPECT_EQ(listing.entries[0].path, ".hid");
  EXPECT_EQ(listing.entries[0].size, 3u);
  EXPECT_EQ(listing.entries[1].path, "b.txt");
  EXPECT_EQ(listing.entries[2].path, "e");
  EXPECT_EQ(listing.entries[2].type, ListEntry::Type::Folder);
  EXPECT_EQ(listing.total, 3u);
  EXPECT_FALSE(listing.truncated);
}

TEST_P(RootedList, GoesIntoFoldersIfAsked) {
  put("b.txt", "1");
  put("e/c.txt", "22");
  put("e/f/g", "");
  EXPECT_EQ(paths(list(".", all())), (Names{"b.txt", "e", "e/c.txt", "e/f", "e/f/g"}));
  EXPECT_EQ(paths(list("e", all())), (Names{"c.txt", "f", "f/g"}));
}

TEST_P(RootedList, KeepsOneKindIfAsked) {
  put("b.txt", "1");
  put("e/c.txt", "22");
  ListOptions options = all();
  options.keep = ListOptions::Keep::FilesOnly;
  EXPECT_EQ(paths(list(".", options)), (Names{"b.txt", "e/c.txt"}));
  options.keep = ListOptions::Keep::FoldersOnly;
  EXPECT_EQ(paths(list(".", options)), (Names{"e"}));
  options.keep = ListOptions::Keep::Nothing;
  EXPECT_EQ(paths(list(".", options)), Names{});
  EXPECT_EQ(code(list("none", options)), "E_NOT_FOUND");
}

TEST_P(RootedList, LeavesOutLinksAndSpecialFiles) {
  put("real.txt", "1");
  link("l.txt", "real.txt");
  link("ld", ".");
  link("out", "..");
  ASSERT_EQ(::mkfifo((work / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(paths(list(".", all())), (Names{"real.txt"}));
}

TEST_P(RootedList, IsInTheOrderPeopleExpect) {
  for (const char* name : {"a1", "B.txt", "a_1", "c", "A", "a", "b-1", "b/x", "10", "\u00E9"})
    put(name, "");
  EXPECT_EQ(paths(list(".", all())),
            (Names{"10", "a", "A", "a_1", "a1", "b", "b-1", "B.txt", "b/x", "c", "\u00E9"}));
}

TEST_P(RootedList, KeepsTheSortedBeginningOfTooMany) {
  for (int i = 0; i < 500; ++i)
    put("f" + std::to_string(1000 + i), "x");
  ListOptions options;
  options.max_entries = 7;
  const Listing listing = list(".", options).value();
  EXPECT_EQ(paths(Listing(listing)),
            (Names{"f1000", "f1001", "f1002", "f1003", "f1004", "f1005", "f1006"}));
  EXPECT_EQ(listing.total, 500u);
  EXPECT_TRUE(listing.truncated);
  options.max_entries = 500;
  EXPECT_FALSE(list(".", options)->truncated);
  options.max_entries = 0;
  EXPECT_TRUE(list(".", options)->truncated);
}

TEST_P(RootedList, StopsAtSixtyFourLevelsAndSaysSo) {
  std::string path = "d";
  for (int i = 1; i < 70; ++i)
    path += "/d";
  ASSERT_TRUE(make(path).ok());
  const Listing listing = list(".", all()).value();
  EXPECT_EQ(listing.entries.size(), kMaxListDepth);
  EXPECT_TRUE(listing.truncated);
}

TEST_P(RootedList, EndsAtItsDeadlineAndOnAStopWithWhatItHas) {
  for (int i = 0; i < 600; ++i)
    put("f" + std::to_string(i), "");
  ListOptions late;
  late.deadline = Clock::now();
  EXPECT_TRUE(list(".", late)->truncated);
  EXPECT_LT(list(".", late)->entries.size(), 600u);
  std::stop_source source;
  source.request_stop();
  ListOptions stopped;
  stopped.stop = source.get_token();
  EXPECT_TRUE(list(".", stopped)->truncated);
}

TEST_P(RootedList, CountsTheFoldersThatItCannotLookInto) {
  put("a/file", "");
  put("shut/file", "");
  put("shut too/file", "");
  const std::vector<std::filesystem::path> shut{work / "shut", work / "shut too"};
  for (const auto& path : shut)
    std::filesystem::permissions(path, std::filesystem::perms::none);
  constexpr uid_t kNobody = 65534;
  const bool root = ::geteuid() == 0;  // who can look into everything
  ASSERT_TRUE(!root || ::seteuid(kNobody) == 0);
  const Result<Listing> listing = list(".", all());
  const Result<Listing> level = list(".");
  ASSERT_TRUE(!root || ::seteuid(0) == 0);
  for (const auto& path : shut)
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  EXPECT_EQ(paths(listing), (Names{"a", "a/file", "shut", "shut too"}));
  EXPECT_EQ(listing->unreadable, 2u);
  EXPECT_FALSE(listing->truncated);
  EXPECT_EQ(level->unreadable, 0u);
}

TEST_P(RootedList, ShowsNamesThatAreNotUtf8) {
  put("a\xFF", "x");
  EXPECT_EQ(paths(list(".")), (Names{"a\uFFFD"}));
}

TEST_P(RootedList, SaysWhatIsNoFolder) {
  put("a.txt", "x");
  EXPECT_EQ(list("none").error().message, "cannot list 'none': no such file or directory");
  EXPECT_EQ(list("a.txt").error().message, "cannot list 'a.txt': it is a file, not a folder");
  EXPECT_EQ(list("a.txt/b").error().message,
            "cannot list 'a.txt/b': a part of the path is a file, not a folder");
}

TEST(Collation, IsAStrictTotalOrder) {
  const Names names = {
      "",       "a",      "A",       "aB",      "Ab",     "ab",     "AB",           "a/b",
      "a-b",    "a b",    "\xFF",    "a\x01",   "Z",      "\u00E9", "\u00C9",       "\u00E8",
      "e",      "E",      "\u00E9a", "ea",      "\xC3",   "\xC3z",  "\xC3\xC3\xA9", "\xA9",
      "ae",     "\u00E6", "\u00C6",  "a\u00E9", "\u00DF", "ss",     "sS",           "\u0178",
      "\u00FF", "\u0130", "\u0131",  "\u00D7",  "\u00FE", "\uAC00"};
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      EXPECT_EQ(path_less(a, b) + path_less(b, a), a == b ? 0 : 1) << a << " " << b;
      if (path_head(a) != path_head(b)) {
        EXPECT_EQ(path_head(a) < path_head(b), path_less(a, b));
      }
    }
  }
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      for (const std::string& c : names)
        EXPECT_TRUE(!path_less(a, b) || !path_less(b, c) || path_less(a, c)) << a << b << c;
    }
  }
  EXPECT_TRUE(path_less("aB", "Ab"));
  EXPECT_TRUE(path_less("b", "C"));
}

TEST(Collation, PutsLettersWithMarksWhereTheirLetterIs) {
  Names names = {"z",       "Z",      "\u00C9a", "e",        "f",       "\u00E4", "a",
                 "b",       "\u00E9", "E",       "\u00C9",   "\u00E4b", "ab",     "\u0142a",
                 "m",       "l",      "\uD55C",  "\uAC00",   "\u00E6",  "ae",     "af",
                 "\u00DFa", "ssb",    "st",      "\u017Eab", "zac",     "\u00FE"};
  std::ranges::sort(names, path_less);
  EXPECT_EQ(names, (Names{"a", "\u00E4",   "ab",  "\u00E4b", "ae",     "\u00E6",  "af",
                          "b", "e",        "E",   "\u00E9",  "\u00C9", "\u00C9a", "f",
                          "l", "\u0142a",  "m",   "\u00DFa", "ssb",    "st",      "z",
                          "Z", "\u017Eab", "zac", "\u00FE",  "\uAC00", "\uD55C"}));
}

}  // namespace
}  // namespace goondan::os
