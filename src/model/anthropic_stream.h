// The answer of the messages API, from its stream or in one piece.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/reply_reader.h"
#include "model/wire_names.h"

namespace goondan {

// Content blocks are told by their index and may come interleaved. Event types and blocks that are
// not known are passed over, as the API asks for.
class AnthropicReader : public ReplyReader {
 public:
  explicit AnthropicReader(const WireNames& names) : names_(names) {}

  Result<void> read_event(const net::SseEvent& event, ModelObserver& observer) override;
  Result<void> read_document(const JsonObject& document, ModelObserver& observer) override;
  [[nodiscard]] bool complete() const override { return begun_ && (ended_ || finished_); }
  [[nodiscard]] bool ended() const override { return complete() && ended_; }
  ModelReply take() override;

 private:
  struct Block {
    enum class Kind { Text, Call, Thinking, Other } kind = Kind::Other;
    std::string text = {};       // of a text or a thought
    std::string arguments = {};  // of a call, as they come
    std::string type = {};
    std::string id = {};
    std::string name = {};   // on the wire
    std::string input = {};  // of a call, as it began
    std::string data = {};   // of a hidden thought
    std::string signature = {};
  };

  Result<void> begin_block(std::int64_t index, const JsonObject& block, ModelObserver& observer);
  Result<void> add_delta(std::int64_t index, const JsonObject& delta, ModelObserver& observer);
  Result<void> add_text(Block& block, std::string_view text, ModelObserver& observer);
  void read_message(const JsonObject& message);
  void read_usage(const JsonObject& usage);
  void read_finish(const JsonObject& object);
  void add_call(Block& block);
  void add_opaque(const Block& block);

  const WireNames& names_;
  std::map<std::int64_t, Block> blocks_;
  std::size_t text_bytes_ = 0;
  std::int64_t fresh_input_ = 0;  // not from or for the cache
  ModelReply reply_;
  bool begun_ = false;     // anything of the answer has come
  bool finished_ = false;  // with its reason
  bool ended_ = false;
};

}  // namespace goondan
