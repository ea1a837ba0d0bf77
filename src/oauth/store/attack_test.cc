// Files that somebody changed, swapped, put back or took away. SECURITY 4.3, attacks 21 to 24.
#include <sys/stat.h>
#include <unistd.h>

#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

class OAuthAttackTest : public OAuthStoreTest {
 protected:
  // A store with `one` as the grant of T111, whose only record file is `file`.
  void SetUp() override {
    OAuthStoreTest::SetUp();
    store = open();
    write(*store, grant(), "one");
    file = record_files().front();
  }

  // The record is gone, its file was moved aside, somebody was told, and a new one can be put.
  void expect_quarantined(std::string_view why) {
    EXPECT_EQ(read(*store, grant()), "(none)") << why;
    const auto health = store->check();
    ASSERT_TRUE(health.ok()) << why;
    EXPECT_EQ(health->quarantined.size(), 1U) << why;
    EXPECT_EQ(log_lines().size(), 1U) << why;
    EXPECT_TRUE(store->put(grant(), text_of("new"), 0).ok()) << why;
    EXPECT_EQ(read(*store, grant()), "new") << why;
  }

  std::unique_ptr<Store> store;
  fs::path file;
};

// REQ: SECURITY-4.3-21
TEST_F(OAuthAttackTest, SwappedRecordsAreNotTakenForEachOther) {
  write(*store, grant("other"), "of the other");
  const std::vector<fs::path> files = record_files();
  ASSERT_EQ(files.size(), 2U);
  fs::rename(files[0], folder / "x");
  fs::rename(files[1], files[0]);
  fs::rename(folder / "x", files[1]);
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_EQ(read(*store, grant("other")), "(none)");
  EXPECT_EQ(store->check().value().quarantined.size(), 2U);
}

// REQ: SECURITY-4.3-22
TEST_F(OAuthAttackTest, AChangedByteAnywhereIsFound) {
  const std::string good = file_bytes(file);
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    set_bytes(file, changed);
    EXPECT_EQ(read(*store, grant()), "(none)") << i;
    EXPECT_FALSE(fs::exists(file)) << i;
    set_bytes(file, good);  // and the right one is still right
    EXPECT_EQ(read(*store, grant()), "one") << i;
  }
}

TEST_F(OAuthAttackTest, ACutOrEmptyOrGrownFileIsFound) {
  const std::string good = file_bytes(file);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{39}, std::size_t{56}, good.size() - 1}) {
    set_bytes(file, good.substr(0, size));
    EXPECT_EQ(read(*store, grant()), "(none)") << size;
  }
  set_bytes(file, good + "x");
  EXPECT_EQ(read(*store, grant()), "(none)");
}

TEST_F(OAuthAttackTest, WhatIsNoPlainFileIsNotFollowedAndDoesNotBlock) {
  fs::rename(file, root / "elsewhere");
  fs::create_symlink(root / "elsewhere", file);
  EXPECT_EQ(read(*store, grant()), "(none)");
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(read(*store, grant()), "(none)");
  fs::create_directory(file);
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_EQ(store->check().value().quarantined.size(), 3U);
}

// REQ: SECURITY-4.3-23
TEST_F(OAuthAttackTest, AnOldRecordThatIsPutBackIsNotUsed) {
  const std::string old = file_bytes(file);
  write(*store, grant(), "two");
  set_bytes(file, old);
  expect_quarantined("rollback");
  EXPECT_NE(log_lines().front().find("older version"), std::string::npos);
}

TEST_F(OAuthAttackTest, ARemovedRecordThatIsPutBackIsNotUsed) {
  const std::string old = file_bytes(file);
  ASSERT_TRUE(store->remove(grant()).ok());
  set_bytes(file, old);
  expect_quarantined("removed");
  // Nor after the name has been used again.
  set_bytes(file, old);
  EXPECT_EQ(read(*store, grant()), "(none)");
}

TEST_F(OAuthAttackTest, AnOldIndexDoesNotLetAnOldRecordIn) {
  const std::string old_index = file_bytes(folder / "index");
  for (int i = 0; i < 3; ++i)
    write(*store, grant(), "later");
  set_bytes(folder / "index", old_index);
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_NE(log_lines().front().find("index"), std::string::npos);
}

TEST_F(OAuthAttackTest, AFileThatTheIndexDoesNotKnowIsMovedAside) {
  set_bytes(file.parent_path() / std::string(64, 'a'), file_bytes(file));
  set_bytes(file.parent_path() / "notes.txt", "hello");
  const StoreHealth health = store->check().value();
  EXPECT_EQ(health.quarantined.size(), 2U);
  EXPECT_EQ(health.grants, 1U);
  EXPECT_EQ(read(*store, grant()), "one");
}

TEST_F(OAuthAttackTest, MissingRecordsAreNotThere) {
  fs::remove(file);
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_TRUE(store->list(RecordKind::Grant).value().empty());
  fs::remove_all(file.parent_path());
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_EQ(store->check().value().grants, 0U);
  EXPECT_TRUE(store->put(grant(), text_of("new"), 0).ok());
  EXPECT_EQ(read(*open(), grant()), "new");
}

TEST_F(OAuthAttackTest, ADamagedIndexIsSaidAndNothingIsTouched) {
  const std::string good = file_bytes(folder / "index");
  const std::string record = file_bytes(file);
  for (std::size_t i = 0; i < good.size(); i += 11) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x04);
    set_bytes(folder / "index", changed);
    const auto refused = try_open();
    ASSERT_FALSE(refused.ok()) << i;
    EXPECT_TRUE(refused.error().code == ErrorCode::StoreCorrupt ||
                refused.error().code == ErrorCode::StoreKey ||
                refused.error().code == ErrorCode::StoreVersion)
        << i;
  }
  fs::remove(folder / "index");
  EXPECT_EQ(failure_code(try_open()), ErrorCode::StoreCorrupt);
  EXPECT_EQ(failure_code(store->get(grant())), ErrorCode::StoreCorrupt);
  EXPECT_EQ(file_bytes(file), record);
  set_bytes(folder / "index", good);
  EXPECT_EQ(read(*open(), grant()), "one");
}

// REQ: SECURITY-4.3-24
TEST_F(OAuthAttackTest, AMissingKeyIsNeverReplaced) {
  fs::rename(folder / "key", root / "key");
  const auto refused = try_open();
  ASSERT_EQ(failure_code(refused), ErrorCode::StoreKey);
  EXPECT_NE(refused.error().message.find("missing"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "key"));
  fs::rename(root / "key", folder / "key");
  EXPECT_EQ(read(*open(), grant()), "one");
}

TEST_F(OAuthAttackTest, AnotherKeyIsRefusedAndNothingIsTouched) {
  fs::rename(folder / "key", root / "key");
  set_bytes(folder / "key", std::string(64, '5'));
  fs::permissions(folder / "key", fs::perms(0600));
  EXPECT_EQ(failure_code(try_open()), ErrorCode::StoreKey);
  EXPECT_TRUE(fs::exists(file));
  fs::rename(root / "key", folder / "key");
  EXPECT_EQ(read(*open(), grant()), "one");
}

TEST_F(OAuthAttackTest, AKeyThatOthersMayReadIsRefused) {
  for (const unsigned mode : {0644U, 0640U, 0604U, 0660U}) {
    fs::permissions(folder / "key", fs::perms(mode));
    const auto refused = try_open();
    ASSERT_EQ(failure_code(refused), ErrorCode::StoreKey);
    EXPECT_NE(refused.error().suggestion.find("chmod 600"), std::string::npos);
  }
  fs::permissions(folder / "key", fs::perms(0400));
  EXPECT_TRUE(try_open().ok());
}

TEST_F(OAuthAttackTest, AKeyThatIsALinkIsRefused) {
  fs::rename(folder / "key", root / "key");
  fs::create_symlink(root / "key", folder / "key");
  EXPECT_EQ(failure_code(try_open()), ErrorCode::StoreKey);
}

TEST_F(OAuthAttackTest, AnEmptyKeyFileIsRefused) {
  set_bytes(folder / "key", "");
  EXPECT_EQ(failure_code(try_open()), ErrorCode::StoreKey);
}

}  // namespace
}  // namespace goondan::oauth
