// The answer of a chat completions server, from its stream or in one piece.
#pragma once

#include <string>

#include "model/call_assembly.h"
#include "model/model_options.h"
#include "model/reply_reader.h"

namespace goondan {

class OpenAiReader : public ReplyReader {
 public:
  OpenAiReader(const WireNames& names, ModelOptions::Reasoning reasoning)
      : calls_(names), keep_reasoning_(reasoning) {}

  Result<void> read_event(const net::SseEvent& event, ModelObserver& observer) override;
  Result<void> read_document(const JsonObject& document, ModelObserver& observer) override;
  [[nodiscard]] bool complete() const override { return answered_ && (ended_ || finished_); }
  [[nodiscard]] bool ended() const override { return complete() && ended_; }
  ModelReply take() override;

 private:
  Result<void> read_chunk(const JsonObject& chunk, ModelObserver& observer);
  Result<void> read_choice(const JsonObject& choice, ModelObserver& observer);
  Result<void> read_message(const JsonObject& message, ModelObserver& observer);
  Result<void> read_content(const Json& content, ModelObserver& observer);
  Result<void> read_calls(const JsonObject& message);
  Result<void> read_call(const Json& piece);
  Result<void> add_text(std::string_view text, ModelObserver& observer);
  void read_finish(const JsonObject& choice);
  void read_usage(const JsonObject& usage);

  CallAssembly calls_;
  ModelOptions::Reasoning keep_reasoning_;
  ModelReply reply_;
  std::string reasoning_;
  JsonArray extras_;  // what came with calls and has to go back
  bool in_pieces_ = false;
  bool answered_ = false;  // a choice has come
  bool finished_ = false;  // with its reason
  bool ended_ = false;     // by `[DONE]`
};

}  // namespace goondan
