// The parts of a peer that need no process.
#include <fcntl.h>
#include <sys/eventfd.h>

#include <gtest/gtest.h>

#include "host/peer/child_output.h"
#include "host/peer/outbox.h"
#include "host/peer/peer_frames.h"
#include "host/peer/restarts.h"
#include "host/peer/waiting_calls.h"
#include "ipc/frame_io.h"

namespace goondan::peer {
namespace {

using std::chrono::milliseconds;

std::vector<std::string> texts(std::string_view bytes, std::size_t piece) {
  FrameDecoder decoder;
  std::vector<std::string> found;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    decoder.feed(bytes.substr(at, piece));
    while (const auto text = decoder.next().value())
      found.emplace_back(*text);
  }
  return found;
}

TEST(PeerFrames, AreReadHoweverTheyWereCut) {
  const std::string bytes = call_frame(7, "tool", JsonObject{{"a", 1}}).value() + cancel_frame(7) +
                            answer_frame(3, Json("x"));
  const std::vector<std::string> expected{
      R"({"type":"call","id":7,"method":"tool","params":{"a":1}})", R"({"type":"cancel","id":7})",
      R"({"type":"answer","id":3,"ok":"x"})"};
  for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, bytes.size()})
    EXPECT_EQ(texts(bytes, piece), expected);
}

TEST(PeerFrames, SayWhatAnAnswersErrorIs) {
  const std::string frame =
      answer_frame(3, Error{.code = ErrorCode::NotFound, .message = "m", .suggestion = "s"});
  EXPECT_EQ(frame.substr(kPrefixBytes),
            R"({"type":"answer","id":3,"error":{"code":"E_NOT_FOUND","name":"NotFoundError",)"
            R"("message":"m","suggestion":"s"}})");
}

TEST(PeerFrames, ThatCannotBeReadFailOnlyTheirCallIfTheySayWhich) {
  const Incoming reply = parse_incoming(R"({"type":"reply","id":12,"ok":"\ud800"})").value();
  EXPECT_EQ(reply.type, Incoming::Type::Reply);
  EXPECT_EQ(reply.id, 12U);
  EXPECT_EQ(reply.error.value().code, ErrorCode::ToolBadReply);
  const std::string deep = R"({"type":"request","id":4,"call":1,"method":"next","params":)" +
                           std::string(200, '[') + std::string(200, ']') + "}";
  EXPECT_EQ(parse_incoming(deep).value().type, Incoming::Type::Request);
  EXPECT_FALSE(parse_incoming(R"({"type":"reply","ok":"\ud800"})").ok());
}

TEST(PeerFrames, ReadAReplyWithoutAValueAsNull) {
  EXPECT_EQ(parse_incoming(R"({"type":"reply","id":1})").value().value, nullptr);
}

TEST(ChildOutput, KeepsTheLastLinesWithinBounds) {
  ChildOutput output([](const std::string&) {});
  for (int i = 0; i < 100; ++i)
    output.feed(std::to_string(i) + "\n");
  EXPECT_EQ(output.tail(), "90\n91\n92\n93\n94\n95\n96\n97\n98\n99");
  for (int i = 0; i < 20; ++i)
    output.feed(std::string(kMaxLineBytes, 'x') + "\u20ac\n");
  EXPECT_LE(output.tail().size(), kTailBytes + 3);
}

TEST(Restarts, AreQuickFiveTimesAndThenPauseEverLonger) {
  Restarts restarts({});
  const Deadline now = Clock::now();
  std::vector<milliseconds> pauses;
  for (int i = 0; i < 16; ++i) {
    restarts.note_end(now);
    if (restarts.next_start() > now)
      pauses.push_back(std::chrono::duration_cast<milliseconds>(restarts.next_start() - now));
  }
  const std::vector<milliseconds> expected{
      milliseconds(1000),   milliseconds(2000),   milliseconds(4000),  milliseconds(8000),
      milliseconds(16000),  milliseconds(32000),  milliseconds(64000), milliseconds(128000),
      milliseconds(256000), milliseconds(300000), milliseconds(300000)};
  EXPECT_EQ(pauses, expected);
  restarts.note_good_call();
  restarts.note_end(now);
  EXPECT_LT(restarts.next_start(), now);
}

class OutboxTest : public testing::Test {
 protected:
  std::pair<os::UniqueFd, os::UniqueFd> sockets_ = ipc::make_socket_pair().value();
  os::UniqueFd event_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  Outbox outbox_{sockets_.first.get(), event_.get()};
};

TEST_F(OutboxTest, TakesBackOnlyWhatWasNotBegun) {
  const std::string large(std::size_t{4} << 20, 'x');
  ASSERT_EQ(outbox_.offer(large, 1), Outbox::Sent::Yes);
  ASSERT_EQ(outbox_.offer("second", 2), Outbox::Sent::Yes);
  EXPECT_TRUE(outbox_.withdraw(2));
  EXPECT_FALSE(outbox_.withdraw(2));
  EXPECT_FALSE(outbox_.withdraw(1));
}

TEST_F(OutboxTest, HasRoomForOneMessageAndWaitsForMoreUntilTheDeadline) {
  const std::string large(kMaxUnsentBytes, 'x');
  ASSERT_EQ(outbox_.offer(large, 1), Outbox::Sent::Yes);
  EXPECT_EQ(outbox_.offer(large, 2), Outbox::Sent::Full);
  EXPECT_EQ(outbox_.send(large, 2, Clock::now(), {}), Outbox::Sent::TimedOut);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(outbox_.send(large, 2, Deadline::max(), stop.get_token()), Outbox::Sent::Stopped);
  outbox_.close();
  EXPECT_EQ(outbox_.send(large, 2, Deadline::max(), {}), Outbox::Sent::Closed);
}

TEST(WaitingCalls, LeaveOneWhoTalksALotRoomToAsk) {
  using Delivery = WaitingCalls::Delivery;
  for (const char* const said : {"log", "progress", "events.emit"}) {
    for (const std::size_t bytes : {std::size_t{10}, std::size_t{64} << 10}) {
      WaitingCalls calls;
      const WaitingCalls::Place place(calls, 1);
      std::size_t dropped = 0;
      for (std::size_t i = 0; i < kMaxQueuedMessages; ++i) {
        Incoming word{.call = 1, .method = said, .bytes = bytes};
        const Delivery delivery = calls.deliver(word);
        EXPECT_NE(delivery, Delivery::Flood);
        if (delivery == Delivery::Dropped) ++dropped;
      }
      EXPECT_GT(dropped, 0U);
      Incoming next{.type = Incoming::Type::Request, .call = 1, .method = "next", .bytes = bytes};
      EXPECT_EQ(calls.deliver(next), Delivery::Taken) << said << ' ' << bytes;
    }
  }
}

TEST(WaitingCalls, SayHowMuchOfWhatWasSaidIsLost) {
  WaitingCalls calls;
  WaitingCalls::Place place(calls, 1);
  for (std::size_t i = 0; i < kMaxQueuedMessages / 2 + 3; ++i) {
    Incoming word{.call = 1, .method = "log", .value = i};
    calls.deliver(word);
  }
  Incoming reply{.type = Incoming::Type::Reply, .id = 1};
  ASSERT_EQ(calls.deliver(reply), WaitingCalls::Delivery::Taken);
  for (std::size_t i = 0; i < kMaxQueuedMessages / 2; ++i)
    ASSERT_EQ(place.next(Deadline::max(), {}).message.value, Json(i));
  const Incoming note = place.next(Deadline::max(), {}).message;
  EXPECT_EQ(note.method, "log");
  EXPECT_TRUE(to_text(note.value).contains("3 messages were dropped")) << to_text(note.value);
  EXPECT_EQ(place.next(Deadline::max(), {}).message.type, Incoming::Type::Reply);
}

}  // namespace
}  // namespace goondan::peer
