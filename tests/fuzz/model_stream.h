// Any bytes as the answer of a model: what is read does not depend on how they were cut, texts are
// valid UTF-8, the message made of it reads back the same, and it can be sent to every provider.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "model/anthropic_request.h"
#include "model/body_reader.h"
#include "model/openai_request.h"

namespace goondan::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

struct Listener : ModelObserver {
  std::string text;
  void on_text(std::string_view piece) override {
    require(utf8::valid(piece));
    text += piece;
  }
};

struct Outcome {
  std::string problem = {};
  std::string heard = {};
  ModelReply reply = {};
};

template <class MakeReader>
Outcome read(std::string_view input, std::size_t piece, const MakeReader& make) {
  const std::unique_ptr<ReplyReader> reader = make();
  Listener listener;
  BodyReader body(*reader, listener);
  Outcome outcome;
  while (!input.empty() && outcome.problem.empty()) {
    const Result<void> added = body.add(input.substr(0, piece));
    if (!added.ok()) outcome.problem = added.error().message;
    input.remove_prefix(std::min(piece, input.size()));
  }
  outcome.heard = listener.text;
  if (!outcome.problem.empty()) return outcome;
  Result<ModelReply> reply = body.finish();
  if (!reply.ok()) {
    require(!reply.error().message.empty());
    outcome.problem = reply.error().message;
  } else {
    outcome.reply = *std::move(reply);
  }
  outcome.heard = listener.text;
  return outcome;
}

// Ids that were made up are not compared.
inline bool same(const Outcome& left, const Outcome& right) {
  if (left.problem != right.problem || left.heard != right.heard) return false;
  const ModelReply& a = left.reply;
  const ModelReply& b = right.reply;
  if (a.text != b.text || a.opaque != b.opaque || a.finish != b.finish || a.usage != b.usage ||
      a.model != b.model || a.calls.size() != b.calls.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.calls.size(); ++i) {
    const bool equal = a.calls[i].name == b.calls[i].name && a.calls[i].input == b.calls[i].input &&
                       a.calls[i].input_problem == b.calls[i].input_problem;
    if (!equal) return false;
  }
  return true;
}

inline void check_reply(const ModelReply& reply, std::string_view provider) {
  require(utf8::valid(reply.text));
  for (const ToolCall& call : reply.calls) {
    require(!call.id.empty());
  }
  const Message message = reply.to_message(provider, "step");
  const std::string text = to_text(message.to_json());
  const Message again =
      Message::from_json(parse_json(text, {.max_bytes = std::size_t{64} << 20}).value()).value();
  require(again.text() == reply.text && again.tool_calls().size() == reply.calls.size());
  const std::vector<Message> messages{Message::user("a"), again};
  const ToolCatalog tools;
  const JsonObject params;
  const WireNames names(tools, messages);
  const ModelRequest request{
      .messages = messages, .tools = tools, .params = params, .deadline = Clock::now()};
  for (const std::string& body : {openai_body({.model = "m"}, request, names).value(),
                                  anthropic_body({.model = "m"}, request, names).value()}) {
    require(parse_json(body, {.max_bytes = std::size_t{64} << 20}).ok());
  }
}

template <class MakeReader>
void check_stream(std::string_view input, std::string_view provider, const MakeReader& make) {
  const Outcome whole = read(input, std::max<std::size_t>(input.size(), 1), make);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{64}}) {
    require(same(read(input, piece, make), whole));
  }
  if (whole.problem.empty()) check_reply(whole.reply, provider);
}

}  // namespace goondan::fuzz
