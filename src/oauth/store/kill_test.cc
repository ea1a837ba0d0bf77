// Processes that are killed while they write. REQ: R14
//
// GDN_OAUTH_KILLS=n kills n processes in each of the four tests instead of 75.
#include <array>
#include <csignal>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "oauth/store/store_fixture.h"

namespace goondan::oauth {
namespace {

int kill_rounds() {
  const char* const chosen = std::getenv("GDN_OAUTH_KILLS");
  return chosen == nullptr ? 75 : std::atoi(chosen);
}

class OAuthKillTest : public OAuthStoreTest, public testing::WithParamInterface<int> {
 protected:
  // Counts up in the grant for ever, and says each number that is stored.
  [[noreturn]] void count_up(int told) {
    ::alarm(120);
    const auto store = open();
    for (int number = std::stoi(read(*store, grant())) + 1;; ++number) {
      write(*store, grant(), std::to_string(number));
      if (::write(told, &number, sizeof(number)) != sizeof(number)) ::_exit(1);
      write(*store, session(), "between");
      if (number % 3 == 0 && !store->remove(session()).ok()) ::_exit(2);
      if (number % 5 == 0 && !store->rotate_key().ok()) ::_exit(3);
    }
  }

  // Lets a child store a few numbers and kills it somewhere in the next. The last that it said.
  int one_round(std::mt19937& random, int last) {
    std::array<int, 2> told{};
    if (::pipe(told.data()) != 0) return -1;
    const pid_t child = ::fork();
    if (child == 0) count_up(told[1]);
    ::close(told[1]);
    int number = last;
    for (auto wanted = random() % 4; wanted > 0; --wanted)
      if (::read(told[0], &number, sizeof(number)) != sizeof(number)) break;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 1'500));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    while (::read(told[0], &number, sizeof(number)) == sizeof(number)) {
    }
    ::close(told[0]);
    return number;
  }
};

TEST_P(OAuthKillTest, LeaveTheOldOrTheNewRecord) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  write(*open(), grant(), "0");
  int last = 0;
  for (int round = 0; round < kill_rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const int said = one_round(random, last);
    const auto store = open();
    const std::string found = read(*store, grant());
    EXPECT_TRUE(found == std::to_string(said) || found == std::to_string(said + 1))
        << found << ", said was " << said;
    const std::string between = read(*store, session());
    EXPECT_TRUE(between == "between" || between == "(none)") << between;
    EXPECT_FALSE(finds_canary());
    last = HasFailure() ? last : std::stoi(found);
  }
  EXPECT_TRUE(open()->check().value().quarantined.empty());
  EXPECT_TRUE(log_lines().empty());
}

INSTANTIATE_TEST_SUITE_P(Each, OAuthKillTest, testing::Range(1, 5));

}  // namespace
}  // namespace goondan::oauth
