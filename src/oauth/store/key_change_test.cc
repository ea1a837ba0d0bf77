// New keys, keys from elsewhere, and who reads meanwhile.
#include <atomic>
#include <stdlib.h>
#include <thread>

#include "oauth/store/key_ring.h"
#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

class OAuthKeyTest : public OAuthStoreTest {
 protected:
  [[nodiscard]] KeyRing ring() const {
    return KeyRing::parse(file_bytes(folder / "key"), "key").value();
  }
};

TEST_F(OAuthKeyTest, ANewKeySealsEverythingAnewAndTheOldOneIsGone) {
  const auto store = open();
  const auto beside = open();
  write(*store, grant("a"), "one");
  write(*store, session(), "two");
  const std::uint64_t generation = store->get(grant("a")).value()->generation;
  EXPECT_EQ(read(*beside, grant("a")), "one");
  const KeyId old = ring().newest()->id();
  const std::vector<fs::path> old_files = record_files();
  EXPECT_EQ(store->rotate_key().value(), 2U);
  EXPECT_EQ(ring().size(), 1U);
  EXPECT_NE(ring().newest()->id(), old);
  for (const fs::path& file : old_files)
    EXPECT_FALSE(fs::exists(file));
  const auto later = open();
  for (const Store* each : {store.get(), beside.get(), later.get()}) {
    EXPECT_EQ(read(*each, grant("a")), "one");
    EXPECT_EQ(read(*each, session()), "two");
    EXPECT_EQ(each->get(grant("a")).value()->generation, generation);
  }
  EXPECT_TRUE(beside->put(grant("a"), text_of("three"), generation).ok());
  EXPECT_EQ(read(*store, grant("a")), "three");
  EXPECT_TRUE(log_lines().empty());
}

TEST_F(OAuthKeyTest, ARecordOfAnOldKeyThatIsPutBackIsNotUsed) {
  const auto store = open();
  write(*store, grant(), "one");
  const std::string old = file_bytes(record_files().front());
  ASSERT_TRUE(store->rotate_key().ok());
  set_bytes(record_files().front(), old);
  EXPECT_EQ(read(*store, grant()), "(none)");
  EXPECT_EQ(store->check().value().quarantined.size(), 1U);
}

TEST_F(OAuthKeyTest, ALockIsTheSameBeforeAndAfter) {
  const auto store = open();
  const auto beside = open();
  const auto held = store->lock(grant(), Clock::now() + std::chrono::seconds(60), {});
  ASSERT_TRUE(held.ok());
  ASSERT_TRUE(store->rotate_key().ok());
  EXPECT_EQ(failure_code(beside->lock(grant(), Clock::now(), {})), ErrorCode::StoreBusy);
}

TEST_F(OAuthKeyTest, TheOperatorMayGiveTheKeyAndTheNextOne) {
  const fs::path file = root / "given";
  const auto with_key = [&] { return Store::open(folder, {.file = file}); };
  set_bytes(file, std::string(64, '7') + "\n");
  fs::permissions(file, fs::perms(0600));
  write(*with_key().value(), grant(), "one");
  EXPECT_FALSE(fs::exists(folder / "key"));
  KeyRing ring = KeyRing::parse(file_bytes(file), "f").value();
  ring.add(std::make_shared<const Key>(Key::random()));
  set_bytes(file, ring.format().reveal());
  const auto store = with_key().value();
  EXPECT_EQ(read(*store, grant()), "one");
  EXPECT_EQ(store->rotate_key().value(), 1U);
  EXPECT_EQ(read(*with_key().value(), grant()), "one");
  EXPECT_EQ(KeyRing::parse(file_bytes(file), "f").value().newest()->id(), ring.newest()->id());
}

TEST_F(OAuthKeyTest, WhereTheKeyIsComesFromTheEnvironment) {
  ::unsetenv("GOONDAN_OAUTH_KEY_FILE");
  ::unsetenv("CREDENTIALS_DIRECTORY");
  EXPECT_EQ(default_key_source("/s").file, "/s/key");
  ::setenv("CREDENTIALS_DIRECTORY", root.c_str(), 1);
  EXPECT_EQ(default_key_source("/s").file, "/s/key");
  set_bytes(root / "goondan-oauth-key", std::string(32, 'k'));
  EXPECT_EQ(default_key_source("/s").file, root / "goondan-oauth-key");
  ::setenv("GOONDAN_OAUTH_KEY_FILE", "/k", 1);
  EXPECT_EQ(default_key_source("/s").file, "/k");
  ::unsetenv("GOONDAN_OAUTH_KEY_FILE");
  ::unsetenv("CREDENTIALS_DIRECTORY");
}

// Whoever reads while records and keys change finds a record, and never an older one than before.
TEST_F(OAuthKeyTest, ReadersAreNotDisturbed) {
  const auto store = open();
  write(*store, grant(), "0");
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&, own = open()] {
      std::uint64_t last = 0;
      while (!done) {
        const auto found = own->get(grant());
        if (!found.ok() || !found->has_value() || (*found)->generation < last) {
          ++wrong;
          break;
        }
        last = (*found)->generation;
      }
    });
  for (int i = 1; i <= 200; ++i) {
    write(*store, grant(), std::to_string(i));
    if (i % 20 != 0) continue;
    EXPECT_TRUE(store->rotate_key().ok());
  }
  done = true;
  readers.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(read(*store, grant()), "200");
  EXPECT_TRUE(log_lines().empty());
}

}  // namespace
}  // namespace goondan::oauth
