// Files that are not what they should be: an error that says so, never a crash.
#include <array>

#include "store/instance_store.h"
#include "store/journal.h"
#include "store/store_test.h"

namespace goondan::store {
namespace {

MessageEvent append(std::string id) {
  return {.message = {.id = std::move(id), .json = std::string(700, 'x')}};
}

// Fills a store so that its tables have several pages.
void fill(InstanceStore& store) {
  std::vector<MessageEvent> events;
  for (int i = 0; i < 20; ++i)
    events.push_back(append("m" + std::to_string(i)));
  EXPECT_OK(store.begin_turn({.turn_id = "t", .message_id = "m"}, events));
  EXPECT_OK(store.finish_turn("t", "{}", {}));
  EXPECT_OK(store.begin_turn({.turn_id = "u", .message_id = "n"}, events));
  EXPECT_OK(store.begin_call("u", {.call_id = "c", .tool_name = "x"}));
  EXPECT_OK(store.add_injection({.id = "i", .json = "{}"}));
  EXPECT_OK(store.keep_output("o", std::string(9'000, 'y')));
  EXPECT_OK(store.add_span({.trace_id = "trace", .span_id = "span"}));
}

// A failure is one of those that speak of stores.
template <class T>
void expect_store_error(const Result<T>& result) {
  if (result.ok()) return;
  const ErrorCode code = result.error().code;
  EXPECT_TRUE(code == ErrorCode::Store || code == ErrorCode::StoreCorrupt ||
              code == ErrorCode::StoreVersion || code == ErrorCode::NotFound)
      << result.error().message;
}

// Reads and writes everything.
void use(const std::filesystem::path& folder) {
  const Result<std::unique_ptr<InstanceStore>> opened = InstanceStore::open(folder, Clock::now());
  expect_store_error(opened);
  if (!opened.ok()) return;
  InstanceStore& store = **opened;
  expect_store_error(store.base());
  expect_store_error(store.events());
  expect_store_error(store.running_turn());
  expect_store_error(store.find_turn("m"));
  expect_store_error(store.calls("u"));
  expect_store_error(store.injections());
  expect_store_error(store.output("o"));
  expect_store_error(store.spans("trace"));
  expect_store_error(store.traces(10));
  expect_store_error(store.append(std::array{append("z")}));
  expect_store_error(store.end_call("u", "c", "{}"));
  expect_store_error(store.add_injection({.id = "j", .json = "{}"}));
  expect_store_error(store.finish_turn("u", "{}", {}));
}

class DamageTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    const auto store = InstanceStore::open(folder / "good", soon()).value();
    fill(*store);
    log = bytes_of(folder / "good/state.db-wal");
    young = bytes_of(folder / "good/state.db");
  }
  // In memory where that is possible: closing a database waits for the disk, and there are
  // hundreds here.
  [[nodiscard]] std::filesystem::path place() const override {
    return ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : StoreTest::place();
  }

  // After the store is closed everything is in one file.
  [[nodiscard]] std::string whole() const { return bytes_of(folder / "good/state.db"); }

  [[nodiscard]] std::filesystem::path fresh() const {
    const std::filesystem::path place = folder / "bad";
    std::filesystem::remove_all(place);
    std::filesystem::create_directory(place);
    return place;
  }

  std::string log;
  std::string young;  // the file that belongs to the log
};

TEST_F(DamageTest, AFileThatIsNoDatabaseIsDamaged) {
  for (const std::string& bytes :
       {std::string("hello"), std::string(100'000, '\xa5'), std::string(8192, '\0'),
        "SQLite format 3" + std::string(5000, '\0')}) {
    const std::filesystem::path place = fresh();
    put(place / "state.db", bytes);
    const auto opened = InstanceStore::open(place, Clock::now());
    EXPECT_EQ(code_of(opened), ErrorCode::StoreCorrupt);
    EXPECT_NE(opened.error().message.find("state.db"), std::string::npos);
    EXPECT_EQ(code_of(InstanceStore::open_for_reading(place)), ErrorCode::StoreCorrupt);
    EXPECT_EQ(bytes_of(place / "state.db"), bytes) << "it is left as it is";
    put(place / "orchestrator.db", bytes);
    EXPECT_EQ(code_of(Journal::open(place)), ErrorCode::StoreCorrupt);
  }
}

TEST_F(DamageTest, TheDatabaseOfAnotherProgramIsNotTouched) {
  const std::filesystem::path place = fresh();
  std::string other = whole();
  other[68] = 'x';            // the application id
  other[18] = other[19] = 1;  // no write-ahead log
  put(place / "state.db", other);
  EXPECT_EQ(code_of(InstanceStore::open(place, Clock::now())), ErrorCode::StoreCorrupt);
  EXPECT_EQ(bytes_of(place / "state.db"), other);
}

TEST_F(DamageTest, ACutFileIsNeverACrash) {
  const std::string bytes = whole();
  for (std::size_t length = 1; length < bytes.size(); length += 1499) {
    const std::filesystem::path place = fresh();
    put(place / "state.db", std::string_view(bytes).substr(0, length));
    EXPECT_EQ(code_of(InstanceStore::open(place, Clock::now())), ErrorCode::StoreCorrupt) << length;
  }
}

TEST_F(DamageTest, AFlippedByteIsNeverACrash) {
  const std::string bytes = whole();
  // Every byte of the header, then samples.
  for (std::size_t at = 0; at < bytes.size(); at += at < 108 ? 1 : 211) {
    const std::filesystem::path place = fresh();
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(~flipped[at]);
    put(place / "state.db", flipped);
    use(place);
  }
}

TEST_F(DamageTest, APageOfNoiseIsNeverACrash) {
  constexpr std::size_t kPage = 4096;
  const std::string bytes = whole();
  std::uint32_t noise = 12345;
  for (std::size_t page = 0; page * kPage < bytes.size(); ++page) {
    const std::filesystem::path place = fresh();
    std::string noisy = bytes;
    for (std::size_t i = page == 0 ? 100 : 0; i < kPage; ++i)
      noisy[page * kPage + i] = static_cast<char>((noise = noise * 1664525 + 1013904223) >> 24);
    put(place / "state.db", noisy);
    use(place);
  }
}

TEST_F(DamageTest, ADamagedLogLosesItsLastCommitsOnly) {
  for (std::size_t at = 0; at < log.size(); at += 1009) {
    const std::filesystem::path place = fresh();
    std::string flipped = log;
    flipped[at] = static_cast<char>(~flipped[at]);
    put(place / "state.db", young);
    put(place / "state.db-wal", flipped);
    use(place);
  }
}

TEST_F(DamageTest, AnEventOfAnUnknownTypeDoesNotClearTheConversation) {
  {
    Database database = Database::open(folder / "good/state.db", "", 1).value();
    EXPECT_OK(database.run("UPDATE events SET type = 9 WHERE seq = 3"));
  }
  const auto store = InstanceStore::open(folder / "good", soon()).value();
  EXPECT_EQ(code_of(store->events()), ErrorCode::StoreCorrupt);
  EXPECT_EQ(code_of(store->finish_turn("u", "{}", {})), ErrorCode::StoreCorrupt);
  EXPECT_EQ(store->base().value().size(), 20U);
}

}  // namespace
}  // namespace goondan::store
