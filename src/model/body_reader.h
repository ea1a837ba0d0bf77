// The body of a model's answer as it comes: a stream of events or, from servers that do not stream,
// one JSON document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/reply_reader.h"
#include "net/sse_reader.h"

namespace goondan {

inline constexpr std::size_t kMaxReplyBytes = std::size_t{64} << 20;  // of the whole body
inline constexpr std::size_t kMaxEventBytes = std::size_t{12} << 20;
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxBodyBeginning = std::size_t{64} << 10;

// Used once; borrows both for its life. Thread-compatible. What comes out does not depend on how
// the bytes were cut.
class BodyReader {
 public:
  BodyReader(ReplyReader& reply, ModelObserver& observer) : reply_(reply), observer_(observer) {}

  // The next bytes. Fails like `ReplyReader`; after that the reader is of no further use.
  [[nodiscard]] Result<void> add(std::string_view bytes);

  // The same for the body of an answer whose status says that it is none: only kept.
  void add_error(std::string_view bytes);

  // The body has ended. `E_MODEL_REPLY` if that was in the middle of the answer, or it was none.
  [[nodiscard]] Result<ModelReply> finish();

  // What the body begins with: an error of the provider, if the status says so.
  [[nodiscard]] const std::string& beginning() const { return beginning_; }

 private:
  enum class Form { Unknown, Events, Document };

  Result<void> decide();
  Result<void> add_events(std::string_view bytes);
  Result<void> add_document(std::string_view bytes);
  [[nodiscard]] Error not_an_answer() const;

  ReplyReader& reply_;
  ModelObserver& observer_;
  Form form_ = Form::Unknown;
  std::size_t bytes_ = 0;
  std::size_t events_ = 0;
  std::string beginning_;
  std::string document_;
  net::SseReader sse_{kMaxEventBytes};
};

}  // namespace goondan
