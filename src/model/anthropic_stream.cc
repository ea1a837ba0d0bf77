#include "model/anthropic_stream.h"

#include "base/ids.h"
#include "base/json_fields.h"
#include "model/provider_error.h"
#include "net/header.h"

namespace goondan {
namespace {

FinishReason finish_of(std::string_view reason) {
  if (reason == "end_turn" || reason == "stop_sequence") return FinishReason::Stop;
  if (reason == "tool_use") return FinishReason::ToolCalls;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded") {
    return FinishReason::Length;
  }
  return reason == "refusal" ? FinishReason::Refusal : FinishReason::Other;
}

void read_count(const JsonObject& object, std::string_view key, std::int64_t& number) {
  number = token_count(object, key).value_or(number);
}

}  // namespace

Result<void> AnthropicReader::read_event(const net::SseEvent& event, ModelObserver& observer) {
  if (net::trimmed(event.data).empty() || ended_) return {};
  const JsonObject data = GDN_TRY(parse_event(event.data));
  std::string type = text_field(data, "type");
  if (type.empty()) type = event.type;
  const std::int64_t index = integer_field(data, "index").value_or(0);
  if (type == "error") return stream_error(data.contains("error") ? data.at("error") : Json(data));
  if (type == "message_start") {
    begun_ = true;
    if (const JsonObject* message = object_field(data, "message")) read_message(*message);
  } else if (type == "content_block_start") {
    if (const JsonObject* block = object_field(data, "content_block")) {
      return begin_block(index, *block, observer);
    }
  } else if (type == "content_block_delta") {
    if (const JsonObject* delta = object_field(data, "delta")) {
      return add_delta(index, *delta, observer);
    }
  } else if (type == "message_delta") {
    if (const JsonObject* delta = object_field(data, "delta")) read_finish(*delta);
    if (const JsonObject* usage = object_field(data, "usage")) read_usage(*usage);
  } else if (type == "message_stop") {
    ended_ = true;
  }
  return {};
}

Result<void> AnthropicReader::read_document(const JsonObject& document, ModelObserver& observer) {
  if (document.contains("error")) return stream_error(document.at("error"));
  read_message(document);
  const JsonArray* content = array_field(document, "content");
  if (content == nullptr) return {};
  begun_ = true;
  std::int64_t index = 0;
  for (const Json& block : *content) {
    GDN_TRY(begin_block(index++, object_or_empty(block), observer));
  }
  ended_ = true;
  return {};
}

Result<void> AnthropicReader::begin_block(std::int64_t index, const JsonObject& object,
                                          ModelObserver& observer) {
  begun_ = true;
  const std::string type = text_field(object, "type");
  Block block{.type = type,
              .id = text_field(object, "id"),
              .name = text_field(object, "name"),
              .data = text_field(object, "data")};
  if (type == "text") block.kind = Block::Kind::Text;
  if (type == "tool_use") block.kind = Block::Kind::Call;
  if (type == "thinking" || type == "redacted_thinking") block.kind = Block::Kind::Thinking;
  block.signature = text_field(object, "signature");
  if (blocks_.size() == kMaxCalls && !blocks_.contains(index)) {
    return Error{.code = ErrorCode::Limit,
                 .message = "sent more than " + std::to_string(kMaxCalls) + " content blocks"};
  }
  if (block.id.size() + block.name.size() > kMaxCallName) {
    return reply_too_large("name and id of one tool call", kMaxCallName);
  }
  const Json* input = object.if_contains("input");
  if (block.kind == Block::Kind::Call && input != nullptr && !input->is_null()) {
    block.input = to_text(*input);
    if (block.input.size() > kMaxArguments) {
      return reply_too_large("arguments of one tool call", kMaxArguments);
    }
  }
  Block& begun = blocks_[index] = std::move(block);
  if (begun.kind == Block::Kind::Text) return add_text(begun, text_field(object, "text"), observer);
  if (type == "thinking") begun.text = text_field(object, "thinking");
  return {};
}

Result<void> AnthropicReader::add_delta(std::int64_t index, const JsonObject& delta,
                                        ModelObserver& observer) {
  const std::string type = text_field(delta, "type");
  // Text needs no beginning to be understood; some servers leave it out.
  if (type == "text_delta" && !blocks_.contains(index)) {
    GDN_TRY(begin_block(index, {{"type", "text"}}, observer));
  }
  const auto found = blocks_.find(index);
  if (found == blocks_.end()) return {};
  Block& block = found->second;
  if (type == "text_delta") return add_text(block, text_field(delta, "text"), observer);
  if (type == "signature_delta")
    return append_reply_text(block.signature, text_field(delta, "signature"));
  if (type == "thinking_delta") return append_reply_text(block.text, text_field(delta, "thinking"));
  if (type != "input_json_delta") return {};
  const std::string piece = text_field(delta, "partial_json");
  if (piece.size() > kMaxArguments - block.arguments.size()) {
    return reply_too_large("arguments of one tool call", kMaxArguments);
  }
  block.arguments += piece;
  return {};
}

Result<void> AnthropicReader::add_text(Block& block, std::string_view text,
                                       ModelObserver& observer) {
  if (text.empty() || block.kind != Block::Kind::Text) return {};
  text_bytes_ += text.size();
  if (text_bytes_ > kMaxReplyText) return reply_too_large("text", kMaxReplyText);
  block.text += text;
  observer.on_text(text);
  return {};
}

void AnthropicReader::read_message(const JsonObject& message) {
  if (const std::string model = text_field(message, "model"); !model.empty()) reply_.model = model;
  if (const JsonObject* usage = object_field(message, "usage")) read_usage(*usage);
  read_finish(message);
}

// The API counts what the cache has apart; the totals come several times and grow.
void AnthropicReader::read_usage(const JsonObject& usage) {
  read_count(usage, "input_tokens", fresh_input_);
  read_count(usage, "cache_read_input_tokens", reply_.usage.cache_read);
  read_count(usage, "cache_creation_input_tokens", reply_.usage.cache_write);
  read_count(usage, "output_tokens", reply_.usage.output);
}

void AnthropicReader::read_finish(const JsonObject& object) {
  const std::string reason = text_field(object, "stop_reason");
  if (reason.empty()) return;
  finished_ = true;
  reply_.finish = finish_of(reason);
}

// Arguments come in pieces; a server that does not stream has them in the block already.
void AnthropicReader::add_call(Block& block) {
  std::string id = block.id.empty() ? make_id("call_") : std::move(block.id);
  const std::string& arguments = block.arguments.empty() ? block.input : block.arguments;
  reply_.calls.push_back(call_from_text(std::move(id), names_.from_wire(block.name), arguments));
}

// A thought without its signature would be refused when it goes back.
void AnthropicReader::add_opaque(const Block& block) {
  JsonObject whole{{"type", block.type}};
  if (block.type == "thinking") {
    if (block.signature.empty()) return;
    whole["thinking"] = block.text;
    whole["signature"] = block.signature;
  } else {
    whole["data"] = block.data;
  }
  reply_.opaque.push_back(JsonObject{{"block", std::move(whole)},
                                     {"textBefore", reply_.text.size()},
                                     {"callsBefore", reply_.calls.size()}});
}

ModelReply AnthropicReader::take() {
  for (auto& [index, block] : blocks_) {
    switch (block.kind) {
      case Block::Kind::Text:
        reply_.text += block.text;
        break;
      case Block::Kind::Call:
        add_call(block);
        break;
      case Block::Kind::Thinking:
        add_opaque(block);
        break;
      case Block::Kind::Other:
        break;
    }
  }
  reply_.usage.input = fresh_input_ + reply_.usage.cache_read + reply_.usage.cache_write;
  if (reply_.finish == FinishReason::Length) refuse_cut_call(reply_);
  const bool plain = reply_.finish == FinishReason::Stop || reply_.finish == FinishReason::Other;
  if (plain && !reply_.calls.empty()) reply_.finish = FinishReason::ToolCalls;
  if (reply_.finish == FinishReason::ToolCalls && reply_.calls.empty()) {
    reply_.finish = FinishReason::Other;
  }
  return std::move(reply_);
}

}  // namespace goondan
