// Nothing that a plugin has started may outlive it, whatever it did to survive. Everything it
// starts holds the write end of a FIFO; the end of file proves that all are gone.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "host/native/plugin_fixture.h"
#include "os/child.h"

namespace goondan {
namespace {

using test::make_call;
using test::RecordingHost;
using test::soon;

constexpr int kProcesses = 3;  // that `leaves_children` starts

class PluginSurvivors : public testing::Test {
 protected:
  void SetUp() override {
    fifo_ = folder_.path() / "fifo";
    ASSERT_EQ(::mkfifo(fifo_.c_str(), 0600), 0);
    read_end_.reset(::open(fifo_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    ASSERT_TRUE(read_end_);
  }

  [[nodiscard]] std::string input(std::string_view then) const {
    return to_text(JsonObject{{"fifo", fifo_.string()}, {"then", then}});
  }

  // Reads one byte; whether there was one. False at the end of file.
  bool read_byte() {
    char byte = 0;
    while (os::wait_readable(read_end_.get(), soon()) == os::Wake::Ready) {
      const ssize_t count = ::read(read_end_.get(), &byte, 1);
      if (count >= 0) return count == 1;
      if (errno != EAGAIN) break;
    }
    ADD_FAILURE() << "a process is still there";
    return false;
  }

  void await_all_started() {
    for (int i = 0; i < kProcesses; ++i)
      ASSERT_TRUE(read_byte());
  }

  // The bytes of those that had time to write one may come first.
  void expect_nobody_left() {
    int bytes = 0;
    while (read_byte())
      ASSERT_LE(++bytes, kProcesses);
  }

  Result<Json> call(std::string_view then, Deadline deadline = soon()) {
    auto worker = PluginWorker::start(test::worker_options("leaves_children"), soon(), {}).value();
    RecordingHost host;
    const std::string text = input(then);
    return worker->call(
        make_call({.export_name = "run", .input = text, .deadline = deadline}, host));
  }

  test::TemporaryFolder folder_;
  std::filesystem::path fifo_;
  os::UniqueFd read_end_;
};

TEST_F(PluginSurvivors, NothingOutlivesACrash) {
  EXPECT_EQ(call("crash").error().code, ErrorCode::ToolCrash);
  expect_nobody_left();
}

TEST_F(PluginSurvivors, NothingOutlivesAnExit) {
  EXPECT_EQ(call("exit").error().code, ErrorCode::ToolCrash);
  expect_nobody_left();
}

TEST_F(PluginSurvivors, NothingOutlivesATimeOut) {
  EXPECT_EQ(call("loop", Clock::now() + std::chrono::milliseconds(100)).error().code,
            ErrorCode::ToolTimeout);
  expect_nobody_left();
}

TEST_F(PluginSurvivors, NothingOutlivesTheWorkerItself) {
  EXPECT_EQ(call("return").value(), "left");
  expect_nobody_left();
}

TEST_F(PluginSurvivors, NothingOutlivesAHostThatIsKilled) {
  os::Child caller =
      os::Child::spawn(
          {.argv = {test::caller_path().string(), test::worker_path().string(),
                    test::plugin_path("leaves_children").string(), "run", input("loop")}})
          .value();
  await_all_started();
  // Only the caller itself: what it started has to notice.
  ASSERT_EQ(::kill(caller.pid(), SIGKILL), 0);
  EXPECT_EQ(caller.wait(soon())->text(), "SIGKILL");
  expect_nobody_left();
}

}  // namespace
}  // namespace goondan
