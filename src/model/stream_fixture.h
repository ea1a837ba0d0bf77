// For tests: one body of an answer, read in every way it can come.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "model/anthropic_stream.h"
#include "model/body_reader.h"
#include "model/http_fixture.h"
#include "model/openai_stream.h"

namespace goondan {

// A longer body is not read byte by byte.
inline constexpr std::size_t kLongBody = 100'000;

// JSON of several lines in one.
inline std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// `data` lines of a stream that ends as OpenAI's do.
inline std::string chunks(const std::vector<std::string>& chunks) {
  std::string body;
  for (const std::string& chunk : chunks) {
    body += "data: " + in_one_line(chunk) + "\n\n";
  }
  return body + "data: [DONE]\n\n";
}

// Events as Anthropic has them; each text is the data, whose `type` is the event's.
inline std::string events(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) {
    body +=
        "event: " + std::string(json(event).at("type").as_string()) + "\ndata: " + event + "\n\n";
  }
  return body;
}

inline Result<ModelReply> read_in_pieces(std::string_view provider, std::string_view body,
                                         std::size_t piece, Heard& heard) {
  const ToolCatalog catalog = catalog_of({"fs__read", "fs__write", "slack.post"});
  const WireNames names(catalog, {});
  std::unique_ptr<ReplyReader> reader;
  if (provider == "openai") {
    reader = std::make_unique<OpenAiReader>(names, ModelOptions::Reasoning::Drop);
  } else {
    reader = std::make_unique<AnthropicReader>(names);
  }
  BodyReader read(*reader, heard);
  while (!body.empty()) {
    const std::string_view part = body.substr(0, piece);
    const Result<void> added = read.add(part);
    if (!added.ok()) return added.error();
    body.remove_prefix(part.size());
  }
  return read.finish();
}

// Ids that were made up differ from reading to reading.
inline Result<ModelReply> with_plain_ids(Result<ModelReply> reply) {
  if (!reply.ok()) return reply;
  for (ToolCall& call : reply->calls) {
    if (call.id.starts_with("call_") && call.id.size() == 29) call.id = "made-up";
  }
  return reply;
}

// The answer in `body`, which must be the same however it is cut, and from a real server.
inline Result<ModelReply> read_answer(const std::string& provider, const std::string& body) {
  Heard heard;
  const Result<ModelReply> whole =
      with_plain_ids(read_in_pieces(provider, body, body.size(), heard));
  for (const std::size_t piece : {1, 2, 3, 61, 4099}) {
    if (body.size() > kLongBody && piece < 4099) continue;
    Heard again;
    const auto cut = with_plain_ids(read_in_pieces(provider, body, piece, again));
    EXPECT_EQ(summary(cut), summary(whole)) << "in pieces of " << piece;
    EXPECT_EQ(again.text, heard.text);
  }
  if (!whole.ok() || body.size() > kLongBody) return whole;
  ModelServer server({stream_answer(body, 1)});
  Heard asked;
  Asked question{.tools = catalog_of({"fs__read", "fs__write", "slack.post"})};
  ModelResource resource = resource_for(provider, server.endpoint());
  resource.model = whole->model;
  const auto real = with_plain_ids(question.ask(*model_for(resource), asked));
  EXPECT_EQ(summary(real), summary(whole));
  EXPECT_EQ(asked.text, heard.text);
  return whole;
}

}  // namespace goondan
