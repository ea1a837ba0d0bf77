#include "ipc/channel.h"

#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "ipc/frame_io.h"

namespace goondan::ipc {
namespace {

Deadline soon() {
  return Clock::now() + std::chrono::seconds(60);
}

Message numbered(int number) {
  return {.from = "a", .to = "b", .payload = number};
}

Message large() {
  return {.from = "a", .to = "b", .payload = JsonString(1'000'000, 'x')};
}

struct Ends {
  os::UniqueFd ours;
  os::UniqueFd theirs;
};

Ends make_ends() {
  auto pair = make_socket_pair();
  EXPECT_TRUE(pair.ok());
  return {std::move(pair->first), std::move(pair->second)};
}

void write_to(int fd, std::string_view bytes) {
  ASSERT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

class ChannelTest : public testing::Test {
 protected:
  Result<Message> receive(Deadline deadline = soon()) {
    return theirs_.receive(deadline, os::StopWaker());
  }

  Ends ends_ = make_ends();
  int raw_ = ends_.ours.get();
  Channel ours_{std::move(ends_.ours)};
  Channel theirs_{std::move(ends_.theirs)};
};

TEST_F(ChannelTest, CarriesMessagesInOrderBothWays) {
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(ours_.send(numbered(i), soon()).ok());
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(receive().value(), numbered(i));
  ASSERT_TRUE(theirs_.send(numbered(7), soon()).ok());
  EXPECT_EQ(ours_.receive(soon(), os::StopWaker()).value(), numbered(7));
}

TEST_F(ChannelTest, KeepsTheMessagesOfManySendersWhole) {
  constexpr int kSenders = 4;
  constexpr int kEach = 50;
  std::vector<std::jthread> senders;
  for (int sender = 0; sender < kSenders; ++sender) {
    senders.emplace_back([this, sender] {
      for (int i = 0; i < kEach; ++i) {
        const Message message{.from = std::to_string(sender),
                              .payload = {{"n", i}, {"more", JsonString(10'000, 'x')}}};
        EXPECT_TRUE(ours_.send(message, soon()).ok());
      }
    });
  }
  std::vector<int> next(kSenders);
  for (int i = 0; i < kSenders * kEach; ++i) {
    const Message message = receive().value();
    EXPECT_EQ(message.payload.at("n"), Json(next.at(std::stoul(message.from))++));
  }
}

TEST_F(ChannelTest, SendsNothingOfAMessageThatIsTooLarge) {
  const Message huge{.payload = JsonString(kMaxMessageBytes, 'x')};
  EXPECT_EQ(ours_.send(huge, soon()).error().code, ErrorCode::Limit);
  ASSERT_TRUE(ours_.send(numbered(1), soon()).ok());
  EXPECT_EQ(receive().value(), numbered(1));
}

TEST_F(ChannelTest, DoesNotWaitPastTheDeadlineForAPeerThatDoesNotRead) {
  EXPECT_EQ(ours_.send(large(), Clock::now()).error().code, ErrorCode::Io);
  // Half a message is on its way; nothing may follow it.
  EXPECT_EQ(ours_.send(numbered(1), soon()).error().code, ErrorCode::Io);
}

TEST_F(ChannelTest, ThatCouldNotSendAByteIsStillOfUse) {
  // The kernel takes a small message whole or not at all, so only whole ones fill the socket.
  const std::string bytes = encode_message(numbered(0)).value();
  while (::send(raw_, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) {
  }
  ASSERT_EQ(ours_.send(numbered(1), Clock::now()).error().code, ErrorCode::Io);
  Result<Message> message = receive();
  while (message.ok())
    message = receive(Clock::now());
  EXPECT_EQ(message.error().code, ErrorCode::ToolTimeout);
  ASSERT_TRUE(ours_.send(numbered(2), soon()).ok());
  EXPECT_EQ(receive().value(), numbered(2));
}

TEST_F(ChannelTest, DoesNotWaitPastTheDeadlineOrAStopForAMessage) {
  EXPECT_EQ(receive(Clock::now()).error().code, ErrorCode::ToolTimeout);
  write_to(raw_, encode_message(numbered(1)).value().substr(0, 9));
  EXPECT_EQ(receive(Clock::now()).error().code, ErrorCode::ToolTimeout);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(theirs_.receive(Deadline::max(), os::StopWaker(stop.get_token())).error().code,
            ErrorCode::ToolCancelled);
  write_to(raw_, encode_message(numbered(1)).value().substr(9));
  EXPECT_EQ(receive().value(), numbered(1));
}

TEST_F(ChannelTest, ReportsTheEndAfterTheLastMessage) {
  ASSERT_TRUE(ours_.send(numbered(1), soon()).ok());
  write_to(raw_, "ab");
  ASSERT_EQ(::shutdown(raw_, SHUT_RDWR), 0);
  EXPECT_EQ(receive().value(), numbered(1));
  EXPECT_EQ(receive().error().code, ErrorCode::Io);
  EXPECT_EQ(theirs_.send(numbered(1), soon()).error().code, ErrorCode::Io);
}

TEST_F(ChannelTest, RefusesNonsense) {
  write_to(raw_, "this is no message at all");
  EXPECT_EQ(receive().error().code, ErrorCode::Ipc);
}

class PeerTest : public testing::Test {
 protected:
  Ends ends_ = make_ends();
  int raw_ = ends_.ours.get();
  std::vector<Message> messages_;
};

TEST_F(PeerTest, TakesWhatHasComeAndWaitsForNothing) {
  Peer peer(std::move(ends_.theirs));
  ASSERT_TRUE(peer.receive(messages_).ok());
  EXPECT_TRUE(messages_.empty());
  const std::string two = encode_message(numbered(2)).value();
  write_to(raw_, encode_message(numbered(1)).value() + two.substr(0, 5));
  ASSERT_TRUE(peer.receive(messages_).ok());
  EXPECT_EQ(messages_, std::vector{numbered(1)});
  EXPECT_EQ(peer.rest(), two.substr(0, 5));
  write_to(raw_, two.substr(5));
  ASSERT_TRUE(peer.receive(messages_).ok());
  EXPECT_EQ(messages_, (std::vector{numbered(1), numbered(2)}));
}

TEST_F(PeerTest, GoesOnWhereAnEarlierOwnerStopped) {
  const std::string one = encode_message(numbered(1)).value();
  const std::string two = encode_message(numbered(2)).value();
  write_to(raw_, two.substr(3));
  Peer peer(std::move(ends_.theirs), one + two.substr(0, 3), encode_message(numbered(3)).value());
  EXPECT_GT(peer.queued(), 0U);
  EXPECT_EQ(peer.events(), POLLIN | POLLOUT);
  ASSERT_TRUE(peer.receive(messages_).ok());
  EXPECT_EQ(messages_, (std::vector{numbered(1), numbered(2)}));
  ASSERT_TRUE(peer.flush().ok());
  EXPECT_EQ(peer.events(), POLLIN);
  Channel ours(std::move(ends_.ours));
  EXPECT_EQ(ours.receive(soon(), os::StopWaker()).value(), numbered(3));
}

TEST_F(PeerTest, QueuesForAPeerThatDoesNotReadButNotWithoutEnd) {
  Peer peer(std::move(ends_.theirs));
  std::size_t accepted = 0;
  Result<void> sent = peer.send(large());
  for (; sent.ok(); sent = peer.send(large()))
    ++accepted;
  EXPECT_EQ(sent.error().code, ErrorCode::Limit);
  EXPECT_LE(peer.queued(), kMaxQueuedBytes);
  EXPECT_GE(peer.queued(), kMaxQueuedBytes - kMaxMessageBytes - (std::size_t{1} << 10));

  Channel ours(std::move(ends_.ours));
  {
    const std::jthread flusher([&peer] {
      while (peer.queued() > 0 && peer.flush().ok()) {
        if (peer.queued() > 0) os::wait_writable(peer.fd(), soon(), os::StopWaker());
      }
    });
    for (std::size_t i = 0; i < accepted; ++i)
      ASSERT_EQ(ours.receive(soon(), os::StopWaker()).value(), large());
  }
  EXPECT_EQ(peer.queued(), 0U);
}

TEST_F(PeerTest, LetsOthersHaveTheirTurnWhileOneNeverStops) {
  Peer peer(std::move(ends_.theirs));
  std::jthread flood([this](const std::stop_token& stop) {
    const std::string bytes = encode_message(numbered(1)).value();
    while (!stop.stop_requested() && ::send(raw_, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0) {
    }
  });
  ASSERT_TRUE(peer.receive(messages_).ok());
  EXPECT_LE(messages_.size() * encode_message(numbered(1)).value().size(), kMaxReceiveBytes);
  flood.request_stop();
  peer.release().reset();
}

TEST_F(PeerTest, GivesTheMessagesThatCameBeforeTheEndOrNonsense) {
  Peer peer(std::move(ends_.theirs));
  write_to(raw_, encode_message(numbered(1)).value());
  ends_.ours.reset();
  EXPECT_EQ(peer.receive(messages_).error().code, ErrorCode::Io);
  EXPECT_EQ(messages_, std::vector{numbered(1)});
  EXPECT_EQ(peer.send(numbered(2)).error().code, ErrorCode::Io);

  Ends more = make_ends();
  Peer other(std::move(more.theirs));
  write_to(more.ours.get(), encode_message(numbered(3)).value() + "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(other.receive(messages_).error().code, ErrorCode::Ipc);
  EXPECT_EQ(messages_, (std::vector{numbered(1), numbered(3)}));
}

}  // namespace
}  // namespace goondan::ipc
