#include "net/exchange.h"

#include <algorithm>
#include <array>

#include "net/request_writer.h"

namespace goondan::net {
namespace {

constexpr std::size_t kReceiveBytes = std::size_t{32} << 10;
// A body up to this size is sent together with the head, in one packet if it fits.
constexpr std::size_t kMaxJoinedBody = std::size_t{16} << 10;

ResponseReader::BodyRule body_rule(const Outgoing& request) {
  return request.method == "HEAD" ? ResponseReader::BodyRule::Never
                                  : ResponseReader::BodyRule::ByHead;
}

Error no_answer() {
  return {.code = ErrorCode::Network,
          .message = "the server closed the connection without an answer"};
}

}  // namespace

Exchange::Exchange(Transport& transport, const Outgoing& request, BodyReceiver& body,
                   const Until& until)
    : transport_(transport),
      request_(request),
      body_(body),
      until_(until),
      reader_(body_rule(request)) {}

Result<ResponseHead> Exchange::run() {
  GDN_TRY(send());
  while (GDN_TRY(receive()) == Progress::Waiting) {
  }
  return std::move(reader_.head());
}

// A server that refuses a request may answer and close before it has all of it, so a connection
// that takes no more is still read from.
Result<void> Exchange::send() {
  std::string head = write_head(request_);
  const bool joined = request_.body.size() <= kMaxJoinedBody;
  if (joined) head += request_.body;
  Result<void> sent = transport_.send(head, until_);
  if (sent.ok() && !joined) sent = transport_.send(request_.body, until_);
  if (sent.ok() || sent.error().code != ErrorCode::Network) return sent;
  send_problem_ = std::move(sent).error();
  return {};
}

Result<Exchange::Progress> Exchange::receive() {
  Result<Progress> progress = receive_some(until_next());
  if (!progress.ok() && decoder_ && body_.satisfied()) return Progress::Finished;
  return progress;
}

// How long the next bytes may take. Those that nobody needs any more get little time altogether.
Until Exchange::until_next() {
  Until until = until_.from_now();
  if (decoder_ && body_.satisfied()) {
    if (!linger_end_) linger_end_ = Clock::now() + kLingerTime;
    until.deadline = std::min(until.deadline, *linger_end_);
  }
  return until;
}

Result<Exchange::Progress> Exchange::receive_some(const Until& until) {
  std::array<char, kReceiveBytes> buffer;
  const Result<std::size_t> size = transport_.receive(buffer, until);
  if (!size.ok()) return !answered_ && send_problem_ ? *send_problem_ : size.error();
  if (*size > 0) {
    answered_ = true;
    return read({buffer.data(), *size});
  }
  if (!answered_) return send_problem_ ? *send_problem_ : no_answer();
  GDN_TRY(reader_.end_of_input());
  if (decoder_) GDN_TRY(decoder_->finish());
  return Progress::Finished;
}

Result<Exchange::Progress> Exchange::read(std::string_view input) {
  while (true) {
    const ResponseReader::Part part = GDN_TRY(reader_.next(input));
    if (part.kind == ResponseReader::Kind::NeedMore) return Progress::Waiting;
    if (GDN_TRY(take(part)) == Progress::Finished) {
      // Bytes that nobody asked for make it unclear whose the next answer would be.
      reusable_ = part.kind == ResponseReader::Kind::End && reader_.keeps_alive() &&
                  input.empty() && !send_problem_;
      return Progress::Finished;
    }
  }
}

Result<Exchange::Progress> Exchange::take(const ResponseReader::Part& part) {
  switch (part.kind) {
    case ResponseReader::Kind::NeedMore:
      break;
    case ResponseReader::Kind::Head:
      GDN_TRY(begin_body());
      break;
    case ResponseReader::Kind::Body:
      if (GDN_TRY(add_to_body(part.bytes)) == BodyReceiver::Want::Enough) return Progress::Finished;
      break;
    case ResponseReader::Kind::End:
      GDN_TRY(decoder_->finish());
      return Progress::Finished;
  }
  return Progress::Waiting;
}

Result<void> Exchange::begin_body() {
  const ResponseHead& head = reader_.head();
  // What is thrown away need not be decoded.
  decoder_.emplace(body_.discards(head) ? "" : joined_values(head.headers, "content-encoding"));
  const bool plain = reader_.has_body() && decoder_->is_plain();
  return body_.begin(head, plain ? head.content_length : std::nullopt);
}

Result<BodyReceiver::Want> Exchange::add_to_body(std::string_view bytes) {
  while (true) {
    const std::string_view decoded = GDN_TRY(decoder_->decode(bytes));
    if (decoded.empty()) return BodyReceiver::Want::More;
    if (GDN_TRY(body_.add(decoded)) == BodyReceiver::Want::Enough) {
      return BodyReceiver::Want::Enough;
    }
  }
}

}  // namespace goondan::net
