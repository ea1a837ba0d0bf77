#include "net/body_receiver.h"

#include <algorithm>

#include "net/redirect.h"

namespace goondan::net {
namespace {

// More is not set aside for what a server only promises.
constexpr std::size_t kMaxPromisedBytes = std::size_t{64} << 10;

}  // namespace

Error BodyReceiver::too_large() const {
  return {.code = ErrorCode::HttpResponse,
          .message = "the response's body has more than " + std::to_string(limit_) + " bytes",
          .suggestion = "Ask for less, or allow more bytes."};
}

bool BodyReceiver::discards(const ResponseHead& head) const {
  return request_.redirects == Redirects::Follow && is_redirect(head);
}

Result<void> BodyReceiver::begin(const ResponseHead& head, std::optional<std::uint64_t> length) {
  taken_ = 0;
  known_too_large_ = false;
  if (discards(head)) {
    target_ = Target::Nowhere;
    limit_ = kMaxDiscardedBytes;
    return {};
  }
  if (request_.status != nullptr) *request_.status = head.status;
  if (request_.on_head) request_.on_head(head.status, head.headers);
  target_ = sink_ == nullptr ? Target::Body : Target::Sink;
  limit_ = request_.max_body;
  if (!length) return {};
  known_too_large_ = *length > limit_;
  if (known_too_large_ && request_.overflow == Overflow::Fail) return too_large();
  if (target_ == Target::Body) {
    body_.reserve(std::min({static_cast<std::size_t>(*length), limit_, kMaxPromisedBytes}));
  }
  return {};
}

Result<BodyReceiver::Want> BodyReceiver::add(std::string_view bytes) {
  const std::size_t room = limit_ - taken_;
  const bool too_many = bytes.size() > room || (known_too_large_ && bytes.size() == room);
  if (too_many && target_ != Target::Nowhere) {
    if (request_.overflow == Overflow::Fail) return too_large();
    truncated_ = true;
  }
  bytes = bytes.substr(0, room);
  taken_ += bytes.size();
  if (!bytes.empty()) GDN_TRY(pass_on(bytes));
  return too_many ? Want::Enough : Want::More;
}

Result<void> BodyReceiver::pass_on(std::string_view bytes) {
  switch (target_) {
    case Target::Body:
      make_room(bytes.size());
      body_ += bytes;
      return {};
    case Target::Sink:
      return (*sink_)(bytes);
    case Target::Nowhere:
      return {};
  }
  return {};
}

// Grows by doubling, but never beyond what may come.
void BodyReceiver::make_room(std::size_t bytes) {
  const std::size_t needed = body_.size() + bytes;
  if (needed <= body_.capacity()) return;
  body_.reserve(std::max(needed, std::min(limit_, 2 * body_.capacity())));
}

}  // namespace goondan::net
