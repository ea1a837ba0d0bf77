#include "ipc/message.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace goondan::ipc {
namespace {

Message sample() {
  return {.type = MessageType::Delegate,
          .from = "writer@main",
          .to = "reviewer@main",
          .payload = {{"input", "안녕 \"you\"\n"}, {"n", {1, -2.5, nullptr, true}}},
          .correlation_id = "corr_1"};
}

std::string prefix_of(std::size_t size) {
  std::string prefix;
  for (std::size_t i = 0; i < kMessagePrefixBytes; ++i)
    prefix += static_cast<char>((size >> (8 * i)) & 0xFF);
  return prefix;
}

std::string framed(std::string_view text) {
  return prefix_of(text.size()) + std::string(text);
}

// The error that the decoder reports for these bytes.
ErrorCode refusal(std::string_view bytes) {
  MessageDecoder decoder;
  decoder.feed(bytes);
  const auto message = decoder.next();
  EXPECT_FALSE(message.ok());
  return message.ok() ? ErrorCode::Internal : message.error().code;
}

// REQ: HAND-2
TEST(Message, IsReadBackAsItWasWritten) {
  for (const MessageType type :
       {MessageType::Delegate, MessageType::DelegateResult, MessageType::Event,
        MessageType::Shutdown, MessageType::ShutdownAck}) {
    Message message = sample();
    message.type = type;
    MessageDecoder decoder;
    decoder.feed(encode_message(message).value());
    EXPECT_EQ(decoder.next().value(), message);
    EXPECT_FALSE(decoder.next().value().has_value());
    EXPECT_EQ(decoder.rest(), "");
  }
}

TEST(Message, IsJsonWithTheFieldsOfTheProtocol) {
  const std::string bytes =
      encode_message({.type = MessageType::ShutdownAck, .from = "a", .to = "b", .payload = 1})
          .value();
  EXPECT_EQ(bytes.substr(kMessagePrefixBytes),
            R"({"type":"shutdown_ack","from":"a","to":"b","payload":1})");
  EXPECT_EQ(bytes.substr(0, kMessagePrefixBytes), prefix_of(bytes.size() - kMessagePrefixBytes));
  EXPECT_NE(encode_message(sample()).value().find(R"("correlationId":"corr_1")"),
            std::string::npos);
}

TEST(Message, IsPutTogetherHoweverTheStreamWasCut) {
  const std::string one = encode_message(sample()).value();
  const std::string stream = one + encode_message({.to = "x"}).value() + one;
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    MessageDecoder decoder;
    std::vector<Message> messages;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      decoder.feed(std::string_view(stream).substr(at, piece));
      while (std::optional<Message> message = decoder.next().value())
        messages.push_back(*std::move(message));
    }
    ASSERT_EQ(messages, (std::vector{sample(), Message{.to = "x"}, sample()})) << piece;
  }
}

TEST(Message, ThatIsNotCompleteIsLeftForTheNextOwnerOfTheStream) {
  const std::string one = encode_message(sample()).value();
  MessageDecoder decoder;
  decoder.feed(one + one.substr(0, 10));
  ASSERT_TRUE(decoder.next().value().has_value());
  EXPECT_FALSE(decoder.next().value().has_value());
  MessageDecoder next;
  next.feed(decoder.rest());
  next.feed(one.substr(10));
  EXPECT_EQ(next.next().value(), sample());
}

TEST(Message, OfTheLargestSizePassesAndOneByteMoreDoesNot) {
  Message message{.to = "x", .payload = ""};
  const std::size_t around = encode_message(message).value().size() - kMessagePrefixBytes;
  message.payload = JsonString(kMaxMessageBytes - around, 'a');
  MessageDecoder decoder;
  decoder.feed(encode_message(message).value());
  EXPECT_EQ(decoder.next().value(), message);
  message.payload = JsonString(kMaxMessageBytes - around + 1, 'a');
  EXPECT_EQ(encode_message(message).error().code, ErrorCode::Limit);
}

TEST(Message, ThatIsAnnouncedTooLargeIsRefusedBeforeItComes) {
  EXPECT_EQ(refusal(prefix_of(kMaxMessageBytes + 1)), ErrorCode::Ipc);
  EXPECT_EQ(refusal(prefix_of(100U << 20)), ErrorCode::Ipc);
  EXPECT_EQ(refusal("\xFF\xFF\xFF\xFF"), ErrorCode::Ipc);
  EXPECT_EQ(refusal("GET / HTTP/1.1\r\n"), ErrorCode::Ipc);
}

TEST(Message, NestedAsDeepAsAToolsOutputPassesAndAbyssesDoNot) {
  const auto nested = [](std::size_t levels) {
    Json value = JsonArray{};
    for (std::size_t i = 1; i < levels; ++i)
      value = JsonArray{std::move(value)};
    return value;
  };
  const Message deep{.to = "x", .payload = nested(kMaxMessageDepth - 1)};
  MessageDecoder decoder;
  decoder.feed(encode_message(deep).value());
  EXPECT_EQ(decoder.next().value(), deep);
  EXPECT_EQ(encode_message({.payload = nested(kMaxMessageDepth)}).error().code, ErrorCode::Limit);
  const std::string abyss = R"({"type":"event","from":"","to":"","payload":)" +
                            std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_EQ(refusal(framed(abyss)), ErrorCode::Ipc);
  EXPECT_EQ(refusal(framed(std::string(100'000, '['))), ErrorCode::Ipc);
}

TEST(Message, ThatIsNoneIsRefused) {
  for (const std::string_view text : {
           "",
           "null",
           "[]",
           "\"event\"",
           "{",
           "{}",
           R"({"type":"event","from":"a"})",
           R"({"type":"event","to":"a"})",
           R"({"type":"events","from":"a","to":"b"})",
           R"({"type":"","from":"a","to":"b"})",
           R"({"type":3,"from":"a","to":"b"})",
           R"({"type":"event","from":null,"to":"b"})",
           R"({"type":"event","from":"a","to":["b"]})",
           R"({"type":"event","from":"a","to":"b","correlationId":7})",
           R"({"type":"event","from":"a","to":"b","to":"c"})",
           R"({"type":"event","from":"a","to":"b","payload":{"k":1,"k":2}})",
           "{\"type\":\"event\",\"from\":\"\xFF\",\"to\":\"b\"}",
           "{\"type\":\"event\",\"from\":\"a\",\"to\":\"b\",\"payload\":\"\xC3\x28\"}",
           R"({"type":"event","from":"a","to":"b"} {})",
           R"({"type":"event","from":"a","to":"b",})",
       }) {
    EXPECT_EQ(refusal(framed(text)), ErrorCode::Ipc) << text;
  }
}

TEST(Message, MayHaveFieldsThatNobodyKnowsAndNoPayload) {
  const Message message =
      decode_message(R"({"new":[1],"to":"b","from":"a","type":"event"})").value();
  EXPECT_EQ(message, (Message{.from = "a", .to = "b"}));
}

TEST(Message, IsNeverReadPastAnErrorOfTheStream) {
  MessageDecoder decoder;
  decoder.feed(framed("nonsense") + encode_message(sample()).value());
  EXPECT_FALSE(decoder.next().ok());
  EXPECT_FALSE(decoder.next().ok());
}

TEST(Message, WithTextThatIsNotUtf8ArrivesRepaired) {
  MessageDecoder decoder;
  decoder.feed(encode_message({.from = "a\xFF", .to = "b", .payload = "\xC3\x28"}).value());
  EXPECT_EQ(decoder.next().value(), (Message{.from = "a\uFFFD", .to = "b", .payload = "\uFFFD("}));
}

// Each of these is a message, or refused, or not complete: never anything else.
TEST(Message, MayBeMutatedInAnyWay) {
  std::mt19937 random(20'260'115);
  const std::string original = encode_message(sample()).value();
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = original;
    for (unsigned i = 0; i <= random() % 4; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    MessageDecoder decoder;
    decoder.feed(bytes);
    const auto message = decoder.next();
    if (!message.ok() || !*message) continue;
    const std::string written = encode_message(**message).value();
    const Message again = decode_message(written.substr(kMessagePrefixBytes)).value();
    EXPECT_EQ(decode_message(encode_message(again).value().substr(kMessagePrefixBytes)).value(),
              again);
  }
}

}  // namespace
}  // namespace goondan::ipc
