// What the store keeps, and for whom.
#include <set>

#include "oauth/store/sealed_record.h"
#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

unsigned mode_bits(const fs::path& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

// REQ: S3-12.5.3
TEST_F(OAuthStoreTest, WhatIsPutIsFoundAgainByAnyStoreOfTheFolder) {
  const auto store = open(nullptr);  // with the calls of the system
  EXPECT_EQ(read(*store, grant()), "(none)");
  const std::uint64_t first = store->put(grant(), text_of("one"), 0).value();
  EXPECT_GT(first, 0U);
  EXPECT_EQ(read(*store, grant()), "one");
  const auto other = open();
  EXPECT_EQ(read(*other, grant()), "one");
  EXPECT_EQ(other->get(grant()).value()->generation, first);
  const std::uint64_t second = other->put(grant(), text_of("two"), first).value();
  EXPECT_GT(second, first);
  EXPECT_EQ(read(*store, grant()), "two");
  EXPECT_EQ(read(*open(), grant()), "two");
  EXPECT_TRUE(log_lines().empty());
}

TEST_F(OAuthStoreTest, NamesDoNotRunTogether) {
  const auto store = open();
  const std::vector<RecordName> names{
      {RecordKind::Grant, "a", "bc"},
      {RecordKind::Grant, "ab", "c"},
      {RecordKind::Session, "a", "bc"},
      {RecordKind::Grant, "", ""},
      {RecordKind::Grant, "a/../b", std::string("x\0y", 3)},
  };
  for (std::size_t i = 0; i < names.size(); ++i)
    write(*store, names[i], std::to_string(i));
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(read(*store, names[i]), std::to_string(i));
  EXPECT_EQ(store->list(RecordKind::Grant).value().size(), 4U);
  EXPECT_EQ(store->list(RecordKind::Session).value(), std::vector{names[2]});
}

TEST_F(OAuthStoreTest, AChangeOfAnotherIsNotOverwritten) {
  const auto store = open();
  const std::uint64_t first = write(*store, grant(), "one");
  const std::uint64_t second = write(*open(), grant(), "two");
  EXPECT_EQ(failure_code(store->put(grant(), text_of("late"), first)), ErrorCode::StoreConflict);
  EXPECT_EQ(failure_code(store->put(grant(), text_of("late"), 0)), ErrorCode::StoreConflict);
  EXPECT_EQ(failure_code(store->put(session(), text_of("x"), 7)), ErrorCode::StoreConflict);
  EXPECT_EQ(read(*store, grant()), "two");
  EXPECT_TRUE(store->put(grant(), text_of("three"), second).ok());
}

TEST_F(OAuthStoreTest, WhatIsRemovedIsGoneAndComesBackWithALaterGeneration) {
  const auto store = open();
  EXPECT_TRUE(store->remove(grant()).ok());
  const std::uint64_t first = write(*store, grant(), "one");
  write(*store, session(), "kept");
  EXPECT_TRUE(store->remove(grant()).ok());
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_TRUE(store->list(RecordKind::Grant).value().empty());
  EXPECT_EQ(record_files().size(), 1U);
  EXPECT_GT(store->put(grant(), text_of("two"), 0).value(), first);
  EXPECT_EQ(read(*open(), grant()), "two");
  EXPECT_EQ(read(*open(), session()), "kept");
}

// REQ: S3-12.5.3 R27
TEST_F(OAuthStoreTest, AStolenDiskTellsNothing) {
  const auto store = open();
  write(*store, grant(), "one");
  write(*store, grant("slack:team:T222"), std::string(180, 'x'));
  write(*store, session("as-4f2c9a"), "three");
  ASSERT_TRUE(store->rotate_key().ok());
  EXPECT_FALSE(finds_canary());
  std::set<std::uintmax_t> sizes;
  for (const fs::path& file : files_below(folder)) {
    if (file.filename() == "key") continue;
    const std::string all = file.string().substr(folder.string().size()) + file_bytes(file);
    for (const std::string_view told : {"slack", "T111", "T222", "as-4f2c9a"})
      EXPECT_EQ(all.find(told), std::string::npos) << file << " tells " << told;
  }
  for (const fs::path& file : record_files())
    sizes.insert(fs::file_size(file));
  EXPECT_EQ(sizes.size(), 1U);
}

TEST_F(OAuthStoreTest, OnlyTheOwnerMayReadItsFiles) {
  const auto store = open();
  write(*store, grant(), "one");
  ASSERT_TRUE(store->lock(grant(), Clock::now() + std::chrono::seconds(60), {}).ok());
  EXPECT_EQ(mode_bits(folder), 0700U);
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    EXPECT_EQ(mode_bits(entry.path()), entry.is_directory() ? 0700U : 0600U) << entry.path();
}

TEST_F(OAuthStoreTest, AFolderThatOthersMayEnterIsRefused) {
  open();
  fs::permissions(folder, fs::perms(0755));
  const auto refused = try_open();
  ASSERT_EQ(failure_code(refused), ErrorCode::Store);
  EXPECT_NE(refused.error().suggestion.find("chmod 700"), std::string::npos);
  fs::permissions(folder, fs::perms(0700));
  EXPECT_TRUE(try_open().ok());
}

TEST_F(OAuthStoreTest, AFolderBehindALinkIsRefused) {
  open();
  fs::rename(folder, root / "elsewhere");
  fs::create_directory_symlink(root / "elsewhere", folder);
  EXPECT_EQ(failure_code(try_open()), ErrorCode::Store);
}

TEST_F(OAuthStoreTest, TextsOfAnySizeUpToTheLimit) {
  const auto store = open();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{243}, std::size_t{244},
                                 std::size_t{245}, std::size_t{256}, kMaxRecordText}) {
    const auto old = store->get(grant()).value();
    ASSERT_TRUE(
        store->put(grant(), Secret(std::string(size, 'x')), old ? old->generation : 0).ok());
    EXPECT_EQ(store->get(grant()).value()->json.reveal(), std::string(size, 'x'));
  }
  const std::uint64_t last = store->get(grant()).value()->generation;
  EXPECT_EQ(failure_code(store->put(grant(), Secret(std::string(kMaxRecordText + 1, 'x')), last)),
            ErrorCode::Limit);
  EXPECT_EQ(failure_code(store->put(grant(std::string(kMaxNamePart + 1, 'k')), text_of("x"), 0)),
            ErrorCode::Limit);
}

TEST_F(OAuthStoreTest, UnfinishedFilesAreRemovedWhenItIsOpened) {
  {
    const auto store = open();
    write(*store, grant(), "one");
  }
  const fs::path records = record_files().front().parent_path();
  for (const fs::path& left : {folder / ".new-1", records / ".new-2", folder / ".goondan-key-3"})
    set_bytes(left, "half");
  fs::create_directories(folder / "records-0123456789abcdef");
  set_bytes(folder / "records-0123456789abcdef" / "x", "left by a killed change of keys");
  const auto store = open();
  EXPECT_EQ(read(*store, grant()), "one");
  for (const fs::path& file : files_below(folder))
    EXPECT_FALSE(file.filename().string().starts_with(".")) << file;
  EXPECT_EQ(record_files().size(), 1U);
}

TEST_F(OAuthStoreTest, CheckCountsWhatCanBeRead) {
  const auto store = open();
  write(*store, grant("a"), "one");
  write(*store, grant("b"), "two");
  write(*store, session(), "three");
  const StoreHealth health = store->check().value();
  EXPECT_EQ(health.grants, 2U);
  EXPECT_EQ(health.sessions, 1U);
  EXPECT_TRUE(health.quarantined.empty());
}

}  // namespace
}  // namespace goondan::oauth
