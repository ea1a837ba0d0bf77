#include "net/body_decoder.h"

#include <utility>

namespace goondan::net {

BodyDecoder::BodyDecoder(std::string_view content_encoding) {
  const Result<std::vector<ContentCoding>> codings = content_codings(content_encoding);
  if (!codings.ok()) {
    problem_ = codings.error();
    return;
  }
  for (auto coding = codings->rbegin(); coding != codings->rend(); ++coding) {
    stages_.push_back({.inflater = Inflater(*coding)});
  }
}

Result<std::string_view> BodyDecoder::decode(std::string_view& input) {
  if (problem_ && !input.empty()) return *problem_;
  if (stages_.empty()) return std::exchange(input, {});
  return pull(stages_.size() - 1, input);
}

Result<std::string_view> BodyDecoder::pull(std::size_t stage, std::string_view& input) {
  Stage& last = stages_[stage];
  if (stage == 0) return last.inflater.decode(input);
  while (true) {
    const std::string_view decoded = GDN_TRY(last.inflater.decode(last.pending));
    if (!decoded.empty()) return decoded;
    last.pending = GDN_TRY(pull(stage - 1, input));
    if (last.pending.empty()) return std::string_view();
    between_ += last.pending.size();
    if (between_ > kMaxBetweenCodings) {
      return Error{.code = ErrorCode::HttpResponse,
                   .message =
                       "the response's body was compressed more than once, and is too large "
                       "between the codings"};
    }
  }
}

Result<void> BodyDecoder::finish() const {
  for (const Stage& stage : stages_) {
    GDN_TRY(stage.inflater.finish());
  }
  return {};
}

}  // namespace goondan::net
