#include "model/body_reader.h"

#include "base/utf8.h"

namespace goondan {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// More than is told in the end, so that no cut goes through a secret before it is masked.
constexpr std::size_t kShownCodePoints = 4000;

// Where the body's first byte with a meaning is; none if it has not come.
std::size_t first_byte(std::string_view text) {
  std::size_t start = 0;
  const std::string_view mark = kByteOrderMark.substr(0, text.size());
  if (!text.empty() && text.starts_with(mark)) start = mark.size();
  return text.find_first_not_of(" \t\r\n", start);
}

}  // namespace

Result<void> BodyReader::add(std::string_view bytes) {
  if (bytes.size() > kMaxReplyBytes - bytes_) return reply_too_large("an answer", kMaxReplyBytes);
  bytes_ += bytes.size();
  const std::size_t kept = std::min(bytes.size(), kMaxBodyBeginning - beginning_.size());
  beginning_ += bytes.substr(0, kept);
  if (form_ == Form::Unknown) {
    GDN_TRY(decide());
    bytes.remove_prefix(kept);
  }
  switch (form_) {
    case Form::Unknown:
      return {};
    case Form::Events:
      return add_events(bytes);
    case Form::Document:
      return add_document(bytes);
  }
  return {};
}

void BodyReader::add_error(std::string_view bytes) {
  beginning_ += bytes.substr(0, kMaxBodyBeginning - beginning_.size());
}

// Called with everything in `beginning_` that has come, until the form is known.
Result<void> BodyReader::decide() {
  const std::size_t at = first_byte(beginning_);
  if (at == std::string::npos && beginning_.size() < kMaxBodyBeginning) return {};
  const bool document = at != std::string::npos && (beginning_[at] == '{' || beginning_[at] == '[');
  form_ = document ? Form::Document : Form::Events;
  return document ? add_document(beginning_.substr(at)) : add_events(beginning_);
}

Result<void> BodyReader::add_events(std::string_view bytes) {
  while (true) {
    Result<std::optional<net::SseEvent>> event = sse_.next(bytes);
    if (!event.ok()) return reply_too_large("one event", kMaxEventBytes);
    if (!*event) return {};
    ++events_;
    GDN_TRY(reply_.read_event(**event, observer_));
  }
}

Result<void> BodyReader::add_document(std::string_view bytes) {
  if (bytes.size() > kMaxDocumentBytes - document_.size()) {
    return reply_too_large("an answer in one piece", kMaxDocumentBytes);
  }
  document_ += bytes;
  return {};
}

Result<ModelReply> BodyReader::finish() {
  if (form_ == Form::Document) {
    const JsonObject document = GDN_TRY(parse_event(document_));
    GDN_TRY(reply_.read_document(document, observer_));
  }
  if (reply_.complete()) return reply_.take();
  if (events_ == 0) return not_an_answer();
  return Error{.code = ErrorCode::ModelReply, .message = "ended its answer in the middle"};
}

Error BodyReader::not_an_answer() const {
  if (bytes_ == 0) return {.code = ErrorCode::ModelReply, .message = "sent an empty answer"};
  const std::string_view begin = utf8::prefix(beginning_, kShownCodePoints);
  return {
      .code = ErrorCode::ModelReply,
      .message = "sent something that is no answer of a model: '" + utf8::repaired(begin) + "'"};
}

}  // namespace goondan
