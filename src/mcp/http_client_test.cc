// A whole client over HTTP, with servers that mean no good.
#include <atomic>

#include "mcp/client.h"
#include "mcp/http_endpoint.h"
#include "mcp/http_fixture.h"
#include "mcp/pace.h"

namespace goondan::mcp {
namespace {

using Then = FakeServer::Then;

constexpr std::string_view kPing = R"({"jsonrpc":"2.0","id":"p","method":"ping"})";

std::string answer_text(const Json& id, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + to_text(id) + R"(,"result":)" + std::string(result) + "}";
}

// A legacy server with one tool; `list` answers `tools/list`, `reply` what is sent back to it.
struct LegacyServer {
  std::function<void(net::TestConnection&, const Json& id)> list;
  std::function<void(net::TestConnection&)> reply;

  Then operator()(net::TestConnection& connection, const std::string& request) const {
    const Json message = request.starts_with("POST") ? body_of(request) : Json(JsonObject{});
    const std::string method = text_field(message.get_object(), "method");
    const Json id = any_field(message.get_object(), "id");
    if (method == "initialize") {
      connection.send(json_answer(answer_text(
          id, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{}})")));
    } else if (method == "tools/list") {
      list(connection, id);
    } else if (method.empty() && message.get_object().contains("result")) {
      reply(connection);
    } else if (id.is_null()) {
      connection.send(http_answer("202 Accepted", "text/plain", ""));
    } else {
      connection.send(json_answer(R"({"jsonrpc":"2.0","id":)" + to_text(id) +
                                  R"(,"error":{"code":-32601,"message":"no"}})"));
    }
    return Then::GoOn;
  }
};

// Each would be waited for on the thread that reads the answer, long after the deadline.
TEST(McpHttpClient, ThatTheServerTakesNoAnswersHoldsUpNobody) {
  std::atomic<bool> over = false;
  const LegacyServer behaviour{
      .list =
          [](net::TestConnection& connection, const Json& id) {
            std::string events;
            for (int i = 0; i < 200; ++i)
              events += event(kPing);
            connection.send(stream_answer(events + event(answer_text(id, R"({"tools":[]})"))));
          },
      .reply =
          [&over](net::TestConnection& connection) {
            over.wait(false);
            connection.send(http_answer("202 Accepted", "text/plain", ""));
          }};
  FakeServer server(behaviour);
  auto client = Client::connect(
      {.name = "demo", .url = server.net().url("/mcp").text()},
      {.deadline = Clock::now() + std::chrono::seconds(60), .hosts = server.net().policy()});
  ASSERT_TRUE(client.ok()) << client.error().message;
  EXPECT_TRUE((*client)->list_tools({.deadline = Clock::now() + std::chrono::seconds(60)}).ok());
  EXPECT_FALSE(over);
  server.requests(4);  // discover, initialize, initialized, list
  over = true;
  over.notify_all();
}

// Its processor is its own.
TEST(McpHttpClient, AStreamThatNeverEndsIsReadInMeasure) {
  std::string many;
  for (int i = 0; i < 1'000; ++i)
    many += event(kNotice);
  FakeServer server([&many](net::TestConnection& connection, const std::string&) {
    connection.send(stream_head());
    while (connection.send(many)) {
    }
    return Then::Close;
  });
  std::atomic<std::size_t> heard = 0;
  const auto transport = open_to(server, {}, [&heard](const Json&) { ++heard; });
  transport->set_era(Era::Modern, std::string(kModernVersion));
  Outgoing outgoing = asking(kList);
  outgoing.deadline = Clock::now() + 3 * kPaceWhile;
  EXPECT_EQ(transport->request(outgoing).error().code, ErrorCode::ToolTimeout);
  EXPECT_GT(heard, kMaxStreamEvents);
  EXPECT_LT(heard, 20 * kMaxStreamEvents);
}

}  // namespace
}  // namespace goondan::mcp
