// What a person must do, or has done, for a service to be used on their behalf.
#include "base/json_fields.h"
#include "cli/view_log.h"
#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {

// Over as many rows as it takes: a link that was cut is of no use.
void ViewLog::auth_required(const JsonObject& observation, Speaker& speaker) {
  put_rows(speaker, wrapped("! " + consent_words(observation), text_room(speaker)), Style::Yellow);
}

void ViewLog::auth_ended(const JsonObject& observation, Speaker& speaker) {
  const bool agreed = text_field(observation, "status") == "completed";
  put(speaker,
      {{.text = clean_text(text_field(observation, "app")) +
                (agreed ? " is connected"
                        : " is not connected: " + clean_text(text_field(observation, "status"))),
        .style = agreed ? Style::Green : Style::Yellow}});
}

}  // namespace goondan::cli
