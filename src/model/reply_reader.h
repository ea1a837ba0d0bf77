// What each provider does differently in reading an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "model/model.h"
#include "net/sse_reader.h"

namespace goondan {

// A reply that is larger is refused: a model that writes without end must not fill the memory.
inline constexpr std::size_t kMaxReplyText = std::size_t{16} << 20;
inline constexpr std::size_t kMaxArguments = std::size_t{4} << 20;  // of one call
inline constexpr std::size_t kMaxCallName = std::size_t{4} << 10;   // with its id
inline constexpr std::size_t kMaxCalls = 256;
inline constexpr std::size_t kMaxExtra = std::size_t{64} << 10;  // what comes with one call

// Puts one answer together; used once. Thread-compatible. Fails with `E_MODEL_*` if the provider
// tells an error or says what cannot be understood, with `E_LIMIT` if it says too much.
class ReplyReader {
 public:
  virtual ~ReplyReader() = default;

  [[nodiscard]] virtual Result<void> read_event(const net::SseEvent& event,
                                                ModelObserver& observer) = 0;

  // The whole answer, of a server that does not stream.
  [[nodiscard]] virtual Result<void> read_document(const JsonObject& document,
                                                   ModelObserver& observer) = 0;

  // Whether the answer has ended; what comes after that (usage) is welcome but not needed.
  [[nodiscard]] virtual bool complete() const = 0;

  // Whether it has said that nothing more comes, not even that.
  [[nodiscard]] virtual bool ended() const = 0;

  virtual ModelReply take() = 0;
};

// More tokens than any answer has are not believed: sums of them must not overflow.
inline constexpr std::int64_t kMaxTokens = 1'000'000'000'000;

// The count under `key`, within 0 and `kMaxTokens`; nothing if there is none.
std::optional<std::int64_t> token_count(const JsonObject& object, std::string_view key);

// The object in `text`, whose only permitted flaw is half a surrogate pair, which reads as U+FFFD:
// tokens need not end where characters do. `E_MODEL_REPLY`.
Result<JsonObject> parse_event(std::string_view text);

// Appends to a text within `kMaxReplyText`.
Result<void> append_reply_text(std::string& text, std::string_view piece);

// Of an answer that ended for its length: a last call without arguments is one whose arguments did
// not come any more, and must not run without them.
void refuse_cut_call(ModelReply& reply);

Error reply_too_large(std::string_view what, std::size_t limit);

}  // namespace goondan
