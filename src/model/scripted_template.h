// Replacing the references in a script's texts.
#pragma once

#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::scripted {

// Replaces references by what they name in `scope`. Borrows it. One reply's worth: what all its
// texts grow to together is limited (`kMaxReplyBytes`). Fails with `E_SCRIPT` for a reference that
// names nothing.
class Expander {
 public:
  explicit Expander(const JsonObject& scope) : scope_(scope) {}

  Result<std::string> text(std::string_view text);

  // The same for every string in `value`. A string that is one reference and nothing else becomes
  // the value itself, of whatever type.
  Result<Json> value(const Json& value);

 private:
  Result<Json> of_text(std::string_view text);
  Result<void> spend(std::size_t bytes);

  const JsonObject& scope_;
  std::size_t spent_ = 0;
};

}  // namespace goondan::scripted
