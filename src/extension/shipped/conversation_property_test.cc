// Whatever a conversation looks like: after it is shortened, calls and results still belong
// together, and nothing is gone that must stay.
#include <random>
#include <set>

#include "extension/extension_fixture.h"
#include "extension/shipped/conversation_units.h"
#include "extension/shipped/digest.h"

namespace goondan {
namespace {

class Shortened : public test::Extensions {
 protected:
  // A conversation of the kind that histories hold: calls that share ids, words between a call and
  // its result, results that never came, results without a call.
  void make_conversation(std::uint32_t seed) {
    conversation = {};
    std::mt19937 random(seed);
    const auto one_in = [&random](std::uint32_t n) { return random() % n == 0; };
    const std::size_t size = random() % 60;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string filler(random() % 400, 'x');
      if (one_in(12)) put_system();
      if (one_in(3))
        said("said " + filler, one_in(6) ? JsonObject{{"pinned", true}} : JsonObject{});
      if (one_in(15)) returned(test::call("stray" + std::to_string(i), "t__x"), "stray");
      const ToolCall a = test::call("c" + std::to_string(one_in(8) ? 0 : i), "t__x", {{"n", i}});
      const ToolCall b = test::call("d" + std::to_string(i), "t__y");
      answered(one_in(2) ? "words " + filler : "", {a, b});
      returned(a, Json(JsonString(filler)));
      if (one_in(4)) said("meanwhile");
      if (!one_in(10)) returned(b, "ok");
    }
    input.input = "the start";
    said("the start");
  }

  void put_system() {
    Message message = Message::user("");
    message.data = {{"role", "system"}, {"content", "rules"}};
    put(std::move(message));
  }

  // Units that are not whole: a call whose result was there and is not any more.
  std::set<std::string> unpaired() {
    std::set<std::string> open;
    const std::vector<Message>& messages = conversation.messages();
    for (const shipped::Unit& unit : shipped::units_of(messages)) {
      if (unit.kind == shipped::Unit::Kind::Stray) open.insert(messages[unit.places[0]].id);
      const std::size_t calls = messages[unit.places[0]].tool_calls().size();
      if (calls > unit.places.size() - 1) open.insert(messages[unit.places[0]].id);
    }
    return open;
  }

  std::vector<std::string> kept_ids() {
    std::vector<std::string> ids;
    for (const Message& message : conversation.messages()) {
      if (shipped::is_kept(message) || message.text() == "the start") ids.push_back(message.id);
    }
    return ids;
  }

  // Returns how many messages count.
  std::size_t shorten_and_check(std::uint32_t seed) {
    const std::set<std::string> before = unpaired();
    const std::vector<std::string> kept = kept_ids();
    resume([](TurnContext&) { return TurnOutcome{}; });
    for (const std::string& id : unpaired())
      EXPECT_TRUE(before.contains(id)) << "seed " << seed << ": " << id;
    EXPECT_EQ(kept_ids(), kept) << "seed " << seed;
    return static_cast<std::size_t>(std::ranges::count_if(
        conversation.messages(), [](const Message& one) { return !shipped::is_kept(one); }));
  }
};

TEST_F(Shortened, ByTheWindowStaysWhole) {
  add("message-window", R"({"maxMessages": 20})");
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    make_conversation(seed);
    EXPECT_LE(shorten_and_check(seed), 20U) << "seed " << seed;
  }
}

TEST_F(Shortened, ByCompactionStaysWhole) {
  add("message-compaction", R"({"maxMessages": 20, "maxCharacters": 6000})");
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    make_conversation(seed);
    // Pinned messages may take all there is; beside them stay the start and the last answer.
    EXPECT_LE(shorten_and_check(seed), 20U) << "seed " << seed;
    const auto texts = conversation.texts();
    shorten_and_check(seed);
    EXPECT_EQ(conversation.texts(), texts) << "seed " << seed;
  }
}

}  // namespace
}  // namespace goondan
