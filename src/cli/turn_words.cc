#include "cli/turn_words.h"

namespace goondan::cli {
namespace {

// `KEY=TEXT` with neither half empty.
Result<JsonObject> named_texts(const std::vector<std::string>& words, const std::string& option,
                               const std::string& example) {
  JsonObject texts;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      return Error{.code = ErrorCode::Usage,
                   .message = option + " '" + word + "' is not NAME=TEXT",
                   .suggestion = "Write e.g. " + option + " " + example + "."};
    }
    texts[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return texts;
}

Result<void> check_subjects(const JsonObject& subjects) {
  for (const auto& subject : subjects) {
    if (subject.key() == "global" || subject.key() == "user") continue;
    return Error{.code = ErrorCode::Usage,
                 .message = "--subject is for 'global' or 'user', not for '" +
                            std::string(subject.key()) + "'",
                 .suggestion = "Write e.g. --subject user=slack:user:T111:U234567."};
  }
  return {};
}

}  // namespace

Result<JsonObject> turn_surroundings(const TurnWords& words) {
  JsonObject subjects =
      GDN_TRY(named_texts(words.subjects, "--subject", "user=slack:user:T111:U234567"));
  GDN_TRY(check_subjects(subjects));
  JsonObject origin = GDN_TRY(named_texts(words.origin, "--origin", "channel=C123"));
  JsonObject surroundings;
  if (!subjects.empty()) surroundings["auth"] = JsonObject{{"subjects", std::move(subjects)}};
  if (!origin.empty()) surroundings["origin"] = std::move(origin);
  return surroundings;
}

}  // namespace goondan::cli
