#include "model/openai_stream.h"

#include <array>

#include "base/json_fields.h"
#include "model/provider_error.h"

namespace goondan {
namespace {

constexpr std::string_view kEnd = "[DONE]";

std::string_view trimmed(std::string_view text) {
  return net::trimmed(text);
}

std::int64_t count(const JsonObject& object, std::string_view key) {
  return token_count(object, key).value_or(0);
}

FinishReason finish_of(std::string_view reason) {
  if (reason == "stop") return FinishReason::Stop;
  if (reason == "tool_calls" || reason == "function_call") return FinishReason::ToolCalls;
  if (reason == "length") return FinishReason::Length;
  if (reason == "content_filter") return FinishReason::Refusal;
  return FinishReason::Other;
}

// The error of a server that says so inside of an answer; nothing if it tells none.
const Json* error_in(const JsonObject& object) {
  const Json* error = object.if_contains("error");
  if (error == nullptr) return nullptr;
  const bool told = error->is_object() || (error->is_string() && !error->get_string().empty());
  return told ? error : nullptr;
}

}  // namespace

Result<void> OpenAiReader::read_event(const net::SseEvent& event, ModelObserver& observer) {
  const std::string_view data = trimmed(event.data);
  if (data.empty() || ended_) return {};
  if (data == kEnd) {
    ended_ = true;
    return {};
  }
  const JsonObject chunk = GDN_TRY(parse_event(data));
  if (const Json* error = error_in(chunk)) return stream_error(*error);
  if (event.type == "error") return stream_error(chunk);
  return read_chunk(chunk, observer);
}

Result<void> OpenAiReader::read_document(const JsonObject& document, ModelObserver& observer) {
  if (const Json* error = error_in(document)) return stream_error(*error);
  GDN_TRY(read_chunk(document, observer));
  ended_ = true;
  return {};
}

Result<void> OpenAiReader::read_chunk(const JsonObject& chunk, ModelObserver& observer) {
  if (const std::string model = text_field(chunk, "model"); !model.empty()) reply_.model = model;
  if (const JsonObject* usage = object_field(chunk, "usage")) read_usage(*usage);
  const JsonArray* choices = array_field(chunk, "choices");
  if (choices == nullptr) return {};
  for (const Json& choice : *choices) {
    const JsonObject& object = object_or_empty(choice);
    if (integer_field(object, "index").value_or(0) != 0) continue;
    answered_ = true;
    GDN_TRY(read_choice(object, observer));
  }
  return {};
}

Result<void> OpenAiReader::read_choice(const JsonObject& choice, ModelObserver& observer) {
  if (const JsonObject* delta = object_field(choice, "delta")) {
    in_pieces_ = true;
    GDN_TRY(read_message(*delta, observer));
  } else if (const JsonObject* message = object_field(choice, "message");
             message != nullptr && !in_pieces_) {
    // Some servers end a stream with all of it once more.
    GDN_TRY(read_message(*message, observer));
  }
  read_finish(choice);
  return {};
}

Result<void> OpenAiReader::read_message(const JsonObject& message, ModelObserver& observer) {
  if (const Json* content = message.if_contains("content")) {
    GDN_TRY(read_content(*content, observer));
  }
  if (const std::string refusal = text_field(message, "refusal"); !refusal.empty()) {
    reply_.finish = FinishReason::Refusal;
    GDN_TRY(add_text(refusal, observer));
  }
  if (keep_reasoning_ == ModelOptions::Reasoning::SendBack) {
    const std::string piece = text_field(message, "reasoning_content");
    GDN_TRY(
        append_reply_text(reasoning_, piece.empty() ? text_field(message, "reasoning") : piece));
  }
  return read_calls(message);
}

// A text, or a list of parts of which those with text are of interest.
Result<void> OpenAiReader::read_content(const Json& content, ModelObserver& observer) {
  if (content.is_string()) return add_text(content.get_string(), observer);
  if (!content.is_array()) return {};
  for (const Json& part : content.get_array()) {
    const JsonObject& object = object_or_empty(part);
    if (text_field(object, "type") == "text")
      GDN_TRY(add_text(text_field(object, "text"), observer));
  }
  return {};
}

Result<void> OpenAiReader::add_text(std::string_view text, ModelObserver& observer) {
  if (text.empty()) return {};
  GDN_TRY(append_reply_text(reply_.text, text));
  observer.on_text(text);
  return {};
}

Result<void> OpenAiReader::read_calls(const JsonObject& message) {
  if (const JsonObject* legacy = object_field(message, "function_call")) {
    GDN_TRY(calls_.add_at(-1, *legacy));
  }
  const Json* calls = message.if_contains("tool_calls");
  if (calls == nullptr) return {};
  if (calls->is_object()) return read_call(*calls);
  if (!calls->is_array()) return {};
  for (const Json& piece : calls->get_array()) {
    GDN_TRY(read_call(piece));
  }
  return {};
}

Result<void> OpenAiReader::read_call(const Json& piece) {
  if (!piece.is_object()) return {};
  const JsonObject& object = piece.get_object();
  const JsonObject* extra = object_field(object, "extra_content");
  if (extra != nullptr && extras_.size() < kMaxCalls) {
    if (to_text(*extra).size() > kMaxExtra) {
      return reply_too_large("`extra_content` of one tool call", kMaxExtra);
    }
    extras_.push_back(JsonObject{{"block",
                                  {{"type", "call-extra"},
                                   {"toolCallId", text_field(object, "id")},
                                   {"extra_content", *extra}}}});
  }
  return calls_.add(object);
}

void OpenAiReader::read_finish(const JsonObject& choice) {
  const std::string reason = text_field(choice, "finish_reason");
  if (reason.empty()) return;
  finished_ = true;
  if (reply_.finish != FinishReason::Refusal) reply_.finish = finish_of(reason);
}

void OpenAiReader::read_usage(const JsonObject& usage) {
  reply_.usage.input = count(usage, "prompt_tokens");
  reply_.usage.output = count(usage, "completion_tokens");
  if (const JsonObject* details = object_field(usage, "prompt_tokens_details")) {
    reply_.usage.cache_read = count(*details, "cached_tokens");
  }
  if (const JsonObject* details = object_field(usage, "completion_tokens_details")) {
    reply_.usage.reasoning = count(*details, "reasoning_tokens");
  }
}

ModelReply OpenAiReader::take() {
  reply_.calls = calls_.take();
  if (reply_.finish == FinishReason::Length) refuse_cut_call(reply_);
  const bool plain = reply_.finish == FinishReason::Stop || reply_.finish == FinishReason::Other ||
                     reply_.finish == FinishReason::ToolCalls;
  if (plain && !reply_.calls.empty()) reply_.finish = FinishReason::ToolCalls;
  if (plain && reply_.calls.empty() && reply_.finish == FinishReason::ToolCalls) {
    reply_.finish = FinishReason::Other;
  }
  if (!reasoning_.empty()) {
    reply_.opaque.push_back(JsonObject{{"block", {{"reasoning_content", reasoning_}}}});
  }
  for (Json& extra : extras_) {
    reply_.opaque.push_back(std::move(extra));
  }
  return std::move(reply_);
}

}  // namespace goondan
