#include "agent/outbox.h"

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "ipc/frame_io.h"

namespace goondan::agent {
namespace {

// An outbox, and the orchestrator's end of its socket.
struct World {
  explicit World(std::shared_ptr<Redactor> redactor = nullptr)
      : sockets(ipc::make_socket_pair().value()),
        link(std::move(sockets.first), "a@k"),
        outbox(std::make_unique<Outbox>(link, Outbox::Names{"a", "k"}, std::move(redactor))),
        orchestrator(std::make_unique<ipc::Channel>(std::move(sockets.second))) {}

  // Observations of the next message; none at the end of the stream.
  std::vector<JsonObject> next() {
    std::vector<JsonObject> events;
    const Result<ipc::Message> message =
        orchestrator->receive(Clock::now() + std::chrono::seconds(60), os::StopWaker());
    if (!message.ok()) return events;
    for (const Json& event : *array_field(object_or_empty(message->payload), "events"))
      events.push_back(event.as_object());
    return events;
  }

  // Everything up to and including an observation of this type.
  std::vector<JsonObject> up_to(std::string_view type) {
    std::vector<JsonObject> all;
    while (all.empty() || text_field(all.back(), "type") != type) {
      const std::vector<JsonObject> more = next();
      if (more.empty()) break;
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  std::pair<os::UniqueFd, os::UniqueFd> sockets;
  Link link;
  std::unique_ptr<Outbox> outbox;
  std::unique_ptr<ipc::Channel> orchestrator;
};

JsonObject delta(std::string_view turn, std::string_view text) {
  return {{"type", "message.delta"}, {"turnId", turn}, {"text", text}};
}

TEST(Outbox, SendsWithoutBeingAsked) {
  World world;
  world.outbox->observe({{"type", "turn.started"}, {"id", "m1"}});
  const std::vector<JsonObject> events = world.next();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(text_field(events[0], "type"), "turn.started");
  EXPECT_EQ(text_field(events[0], "agentName"), "a");
  EXPECT_EQ(text_field(events[0], "instanceKey"), "k");
  EXPECT_EQ(text_field(events[0], "timestamp").size(), 24U);
}

TEST(Outbox, PutsPiecesOfOneAnswerTogether) {
  World world;
  for (const std::string_view piece : {"Hel", "lo ", "you"})
    world.outbox->observe(delta("t1", piece));
  world.outbox->observe(delta("t2", "other"));
  world.outbox->observe({{"type", "end"}});
  ASSERT_TRUE(world.outbox->flush().ok());
  std::string first;
  const std::vector<JsonObject> events = world.up_to("end");
  for (const JsonObject& event : events) {
    if (text_field(event, "turnId") == "t1") first += text_field(event, "text");
  }
  EXPECT_EQ(first, "Hello you");
  EXPECT_LE(events.size(), 5U);
}

TEST(Outbox, MasksSecretsAlsoThoseThatComeInPieces) {
  const auto redactor = std::make_shared<Redactor>();
  redactor->add_secret("s3cret-Value-123");
  World world(redactor);
  world.outbox->observe(delta("t1", "it is s3cret-V"));
  world.outbox->observe(delta("t1", "alue-123!"));
  ASSERT_TRUE(world.outbox->flush().ok());
  const std::vector<JsonObject> events = world.next();
  ASSERT_FALSE(events.empty());
  if (events.size() == 1) {  // unless the first piece had been sent before the second came
    EXPECT_EQ(text_field(events[0], "text"), "it is [redacted]!");
  }
}

TEST(Outbox, DropsPiecesRatherThanWaitForAnOrchestratorThatDoesNotRead) {
  World world;
  constexpr int kPieces = 6'000;
  const std::string text(1'000, 'x');
  for (int i = 0; i < kPieces; ++i)
    world.outbox->observe(delta("t" + std::to_string(i), text));
  world.outbox->observe({{"type", "turn.completed"}});
  const std::vector<JsonObject> events = world.up_to("turn.completed");
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(text_field(events.back(), "type"), "turn.completed");
  EXPECT_LT(events.size(), std::size_t{kPieces});
}

TEST(Outbox, SendsNothingLargerThanAFrame) {
  World world;
  for (int i = 0; i < 20; ++i) {
    world.outbox->observe(
        {{"type", "tool.called"}, {"args", JsonObject{{"text", std::string(100'000, '\n')}}}});
  }
  world.outbox->observe({{"type", "end"}});
  EXPECT_EQ(world.up_to("end").size(), 21U);
}

TEST(Outbox, EndsWithoutTheOrchestrator) {
  World world;
  world.orchestrator.reset();
  world.outbox->observe({{"type", "turn.started"}});
  EXPECT_FALSE(world.outbox->flush().ok() && world.link.send_event("ready", {}).ok());
}

TEST(BoundedObservation, CutsWhatIsLongAndWritesWhatIsDeepAsText) {
  Json deep = 1;
  for (int i = 0; i < 60; ++i)
    deep = JsonArray{deep};
  const JsonObject flat = bounded_observation({{"type", "x"}, {"args", deep}});
  EXPECT_TRUE(flat.at("args").is_string());
  const JsonObject cut = bounded_observation({{"type", "x"}, {"input", std::string(500'000, 'y')}});
  EXPECT_LT(to_text(cut).size(), kMaxObservationBytes);
  EXPECT_TRUE(text_field(cut, "input").starts_with("yyy"));
  JsonArray many;
  for (int i = 0; i < 100'000; ++i)
    many.push_back(i);
  const JsonObject scalars = bounded_observation({{"type", "x"}, {"list", many}, {"n", 7}});
  EXPECT_EQ(to_text(scalars), R"({"type":"x","n":7})");
}

}  // namespace
}  // namespace goondan::agent
