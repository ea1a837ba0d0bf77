#include "store/database.h"

#include <array>
#include <stdexcept>

#include "store/store_test.h"

namespace goondan::store {
namespace {

constexpr std::string_view kSchema = "CREATE TABLE t(n INTEGER PRIMARY KEY, word TEXT)";

class DatabaseTest : public StoreTest {
 protected:
  [[nodiscard]] Result<Database> open(const OpenOptions& options = {}, int version = 1) const {
    return Database::open(file(), kSchema, version, options);
  }
  [[nodiscard]] std::filesystem::path file() const { return folder / "deep" / "er" / "state.db"; }

  static Result<void> add(Database& database, std::string_view word) {
    Statement insert = GDN_TRY(database.prepare("INSERT INTO t(word) VALUES(?)"));
    return insert.bind(1, word).execute();
  }
  static std::int64_t count(Database& database) {
    Statement query = database.prepare("SELECT count(*) FROM t").value();
    return query.step().value() ? query.integer(0) : -1;
  }
};

TEST_F(DatabaseTest, MakesFoldersAndFilesThatOnlyTheirOwnerMayRead) {
  Database database = open().value();
  EXPECT_OK(add(database, "a"));
  EXPECT_EQ(mode_of(folder / "deep"), 0700U);
  EXPECT_EQ(mode_of(folder / "deep/er"), 0700U);
  EXPECT_EQ(mode_of(file()), 0600U);
  EXPECT_EQ(mode_of(file().string() + "-wal"), 0600U);
  EXPECT_EQ(mode_of(file().string() + "-shm"), 0600U);
}

TEST_F(DatabaseTest, KeepsWhatWasWritten) {
  {
    Database database = open().value();
    EXPECT_OK(add(database, "a"));
  }
  Database database = open().value();
  EXPECT_EQ(count(database), 1);
}

TEST_F(DatabaseTest, KeepsEveryByteOfATextAndTellsEmptyFromNull) {
  Database database = open().value();
  const std::string odd("a\0b\xff\xf0 \n'\"", 10);
  EXPECT_OK(add(database, odd));
  EXPECT_OK(add(database, std::string_view{}));
  {
    Statement insert = database.prepare("INSERT INTO t(word) VALUES(?)").value();
    EXPECT_OK(insert.bind_null(1).execute());
  }
  Statement query = database.prepare("SELECT word, n FROM t ORDER BY n").value();
  ASSERT_TRUE(query.step().value());
  EXPECT_EQ(query.text(0), odd);
  EXPECT_EQ(query.integer(1), 1);
  ASSERT_TRUE(query.step().value());
  EXPECT_FALSE(query.is_null(0));
  EXPECT_EQ(query.text(0), "");
  ASSERT_TRUE(query.step().value());
  EXPECT_TRUE(query.is_null(0));
  EXPECT_FALSE(query.step().value());
}

TEST_F(DatabaseTest, TwoUsesOfTheSameStatementDoNotDisturbEachOther) {
  Database database = open().value();
  for (const char* word : {"a", "b", "c"})
    EXPECT_OK(add(database, word));
  std::string seen;
  Statement outer = database.prepare("SELECT word FROM t ORDER BY n").value();
  while (outer.step().value()) {
    seen += outer.text(0) + ":";
    Statement inner = database.prepare("SELECT word FROM t ORDER BY n").value();
    while (inner.step().value())
      seen += inner.text(0);
    seen += " ";
  }
  EXPECT_EQ(seen, "a:abc b:abc c:abc ");
}

TEST_F(DatabaseTest, AStatementThatIsUsedAgainHasForgottenItsParameters) {
  Database database = open().value();
  EXPECT_OK(add(database, "a"));
  Statement insert = database.prepare("INSERT INTO t(word) VALUES(?)").value();
  EXPECT_OK(insert.execute());
  Statement query = database.prepare("SELECT word FROM t WHERE n = 2").value();
  ASSERT_TRUE(query.step().value());
  EXPECT_TRUE(query.is_null(0));
}

TEST_F(DatabaseTest, AFailedTransactionLeavesNothing) {
  Database database = open().value();
  const Result<void> failed = database.transaction([&]() -> Result<void> {
    GDN_TRY(add(database, "a"));
    return Error{.code = ErrorCode::Limit, .message = "no more"};
  });
  EXPECT_EQ(code_of(failed), ErrorCode::Limit);
  EXPECT_EQ(count(database), 0);
  EXPECT_OK(database.transaction([&] { return add(database, "b"); }));
  EXPECT_EQ(count(database), 1);
}

TEST_F(DatabaseTest, AnExceptionInATransactionLeavesNothing) {
  Database database = open().value();
  EXPECT_THROW((void)database.transaction([&]() -> Result<void> {
    GDN_TRY(add(database, "a"));
    throw std::runtime_error("out");
  }),
               std::runtime_error);
  EXPECT_EQ(count(database), 0);
}

TEST_F(DatabaseTest, AFailedCommitLeavesNothing) {
  Database database = Database::open(file(),
                                     "CREATE TABLE p(id INTEGER PRIMARY KEY);"
                                     "CREATE TABLE t(n INTEGER PRIMARY KEY, word TEXT,"
                                     " p INTEGER REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED)",
                                     1)
                          .value();
  EXPECT_OK(database.run("PRAGMA foreign_keys=ON"));
  EXPECT_EQ(
      code_of(database.transaction([&] { return database.run("INSERT INTO t(p) VALUES(7)"); })),
      ErrorCode::Store);
  EXPECT_EQ(count(database), 0);
  EXPECT_OK(database.transaction([&] { return add(database, "b"); }));
  EXPECT_EQ(count(database), 1);
}

TEST_F(DatabaseTest, ATransactionWithinATransactionIsRefused) {
  Database database = open().value();
  Result<void> inner = {};
  EXPECT_OK(database.transaction([&]() -> Result<void> {
    inner = database.transaction([] { return Result<void>(); });
    return add(database, "a");
  }));
  EXPECT_EQ(code_of(inner), ErrorCode::Internal);
  EXPECT_EQ(count(database), 1);
}

TEST_F(DatabaseTest, TellsOfEveryCommitAndOfNothingElse) {
  std::vector<std::string> commits;
  const OpenOptions options{
      .after_commit = [&](std::string_view name) { commits.emplace_back(name); }};
  Database database = open(options).value();
  EXPECT_EQ(commits.size(), 1U);  // the tables
  EXPECT_OK(add(database, "a"));
  EXPECT_EQ(commits.size(), 2U);
  EXPECT_OK(database.transaction([&]() -> Result<void> {
    GDN_TRY(add(database, "b"));
    return add(database, "c");
  }));
  EXPECT_EQ(commits.size(), 3U);
  EXPECT_OK(database.run("INSERT INTO t(word) VALUES('d')"));
  EXPECT_EQ(commits.size(), 4U);
  (void)database.transaction([&]() -> Result<void> {
    GDN_TRY(add(database, "x"));
    return Error{.code = ErrorCode::Limit, .message = "no more"};
  });
  EXPECT_EQ(count(database), 4);
  EXPECT_EQ(commits, std::vector<std::string>(4, "state.db"));
}

TEST_F(DatabaseTest, AWrongStatementIsAnErrorThatNamesTheFile) {
  Database database = open().value();
  const Result<Statement> wrong = database.prepare("SELECT * FROM nowhere");
  ASSERT_EQ(code_of(wrong), ErrorCode::Store);
  EXPECT_NE(wrong.error().message.find(file().string()), std::string::npos);
  Statement short_one = database.prepare("SELECT ?").value();
  EXPECT_EQ(code_of(short_one.bind(2, "x").step()), ErrorCode::Store);
}

TEST_F(DatabaseTest, AFileOfANewerVersionIsLeftAlone) {
  { (void)open({}, 7).value(); }
  const std::string before = bytes_of(file());
  const Result<Database> older = open({}, 6);
  ASSERT_EQ(code_of(older), ErrorCode::StoreVersion);
  EXPECT_NE(older.error().message.find("version 7"), std::string::npos);
  EXPECT_EQ(bytes_of(file()), before);
  EXPECT_OK(open({}, 7));
}

TEST_F(DatabaseTest, ReadOnlyReadsBesideAWriterAndWritesNothing) {
  EXPECT_EQ(code_of(open({.access = Access::ReadOnly})), ErrorCode::NotFound);
  EXPECT_FALSE(std::filesystem::exists(folder / "deep"));
  Database writer = open().value();
  EXPECT_OK(add(writer, "a"));
  Database reader = open({.access = Access::ReadOnly}).value();
  EXPECT_EQ(count(reader), 1);
  EXPECT_OK(add(writer, "b"));
  EXPECT_EQ(count(reader), 2);
  EXPECT_EQ(code_of(add(reader, "c")), ErrorCode::Store);
}

TEST_F(DatabaseTest, AFileThatNobodyFilledIsNothingToRead) {
  std::filesystem::create_directories(file().parent_path());
  put(file(), "");
  EXPECT_EQ(code_of(open({.access = Access::ReadOnly})), ErrorCode::NotFound);
  Database writer = open().value();
  EXPECT_EQ(count(writer), 0);
}

TEST_F(DatabaseTest, ALongLogIsEmptied) {
  Database database = open().value();
  const std::string big(100'000, 'x');
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(add(database, big).ok());
  EXPECT_LT(std::filesystem::file_size(file().string() + "-wal"), 8'000'000U);
  EXPECT_EQ(count(database), 200);
}

TEST_F(DatabaseTest, AFolderThatCannotBeMadeIsAnErrorThatNamesIt) {
  put(folder / "deep", "a file");
  const Result<Database> failed = open();
  ASSERT_EQ(code_of(failed), ErrorCode::Store);
  EXPECT_NE(failed.error().message.find((folder / "deep").string()), std::string::npos);
}

TEST_F(DatabaseTest, AWriterThatAnotherProcessKeepsAwayGivesUp) {
  Database database = open().value();
  std::array<int, 2> ready{};
  std::array<int, 2> done{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  ASSERT_EQ(::pipe(done.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    Result<Database> other = open();
    const bool held = other.ok() && other
                                        ->transaction([&]() -> Result<void> {
                                          char byte = 'r';
                                          (void)!::write(ready[1], &byte, 1);
                                          ::close(done[1]);
                                          (void)!::read(done[0], &byte, 1);
                                          return {};
                                        })
                                        .ok();
    ::_exit(held ? 0 : 1);
  }
  ::close(ready[1]);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  {
    Database hasty = open({.busy_wait = std::chrono::milliseconds(20)}).value();
    const Result<void> failed = add(hasty, "a");
    EXPECT_EQ(code_of(failed), ErrorCode::StoreBusy);
    EXPECT_EQ(code_of(hasty.transaction([&] { return add(hasty, "a"); })), ErrorCode::StoreBusy);
    EXPECT_EQ(count(hasty), 0);
  }
  ::close(done[0]);
  ::close(done[1]);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_OK(add(database, "a"));
  ::close(ready[0]);
}

TEST_F(DatabaseTest, SeveralProcessesMayMakeTheSameFileAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      Result<Database> database = open({.busy_wait = std::chrono::seconds(60)});
      const Result<void> added = database.ok() ? add(*database, "x") : database.error();
      if (!added.ok()) std::fprintf(stderr, "%s\n", added.error().message.c_str());
      ::_exit(added.ok() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Database database = open().value();
  EXPECT_EQ(count(database), 6);
}

}  // namespace
}  // namespace goondan::store
