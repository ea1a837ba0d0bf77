#include "oauth/manager/subject.h"

#include "base/json_fields.h"
#include "oauth/manager/session_record.h"

namespace goondan::oauth {
namespace {

// Longer ones are nobody's name.
constexpr std::size_t kMaxSubjectBytes = 1024;

}  // namespace

std::variant<std::string, TokenError> subject_of(const App& app, const Json& auth) {
  const std::string mode(subject_mode_name(app.subject_mode));
  const JsonObject* subjects = object_field(object_or_empty(auth), "subjects");
  std::string subject = subjects == nullptr ? std::string() : text_field(*subjects, mode);
  if (!subject.empty() && subject.size() <= kMaxSubjectBytes) return subject;
  if (!subject.empty()) {
    return TokenError{.code = "subjectUnavailable",
                      .message = "turn.auth.subjects." + mode + " has more than " +
                                 std::to_string(kMaxSubjectBytes) + " bytes"};
  }
  return TokenError{
      .code = "subjectUnavailable",
      .message = "turn.auth.subjects." + mode + " is not set, and the application \"" + app.name +
                 "\" has a token for each " + (mode == "user" ? "user" : "workspace") +
                 ". The connector that brings the message must set it."};
}

}  // namespace goondan::oauth
