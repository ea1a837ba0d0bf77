// What each provider does differently in reading an answer.
#pragma once

#include <cstddef>
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

  virtual ModelReply take() = 0;
};

// The object in `text`, whose only permitted flaw is half a surrogate pair, which reads as U+FFFD:
// tokens need not end where characters do. `E_MODEL_REPLY`.
Result<JsonObject> parse_event(std::string_view text);

// Appends to a text within `kMaxReplyText`.
Result<void> append_reply_text(std::string& text, std::string_view piece);

Error reply_too_large(std::string_view what, std::size_t limit);

}  // namespace goondan
