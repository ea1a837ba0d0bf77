// Masking a text that comes in pieces, such as the output of a command.
#pragma once

#include <string>
#include <string_view>

#include "base/redactor.h"
#include "base/redactor_writer.h"

namespace goondan {

// All that `push` and `finish` return, joined, is what `Redactor::redact` makes of all that was
// pushed, joined. Only what could be the beginning of a secret is held back: at most the longest
// form of a secret or `kMaxPatternBytes`, and of ordinary lines nothing.
//
// Thread-compatible. Borrows the redactor; secrets added to it meanwhile count from the next piece.
class StreamRedactor {
 public:
  explicit StreamRedactor(const Redactor& redactor) : redactor_(redactor) {}

  // What can be shown of all that has come so far and has not been returned yet.
  [[nodiscard]] std::string push(std::string_view piece);

  // The rest. Afterwards a new text may begin.
  [[nodiscard]] std::string finish();

 private:
  const Redactor& redactor_;
  std::string held_;  // some context that has been returned, and what has not been
  MaskWriter writer_;
};

}  // namespace goondan
