// What is left of messages that were taken out of a conversation: who said what, which tools ran
// with which result, a line each.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extension/shipped/conversation_units.h"

namespace goondan::shipped {

// What a message takes up, in code points, its calls with their arguments included.
std::size_t characters_of(const Message& message);

// The one message that stands for those taken out before. It is the user's, for both providers take
// that anywhere in a conversation, and what others have said must not speak to the model as the
// system. Value.
class Summary {
 public:
  // `limit`: of its text, in code points.
  explicit Summary(std::size_t limit) : limit_(limit) {}

  // Takes up what an earlier summary says.
  void read(const Message& message);

  // Adds the messages of a unit.
  void add(std::span<const Message> messages, const Unit& unit);

  // About what it takes up; never less.
  [[nodiscard]] std::size_t characters() const;

  // Within the limit: lines about tools go first, then the oldest; the first word of a user stays
  // longest. `removing`: messages that are in it and still have to be taken out.
  [[nodiscard]] Message to_message(std::string_view extension,
                                   std::span<const std::string> removing);

 private:
  struct Line {
    enum class Kind { Said, Ran } kind;
    std::string text;
    std::size_t length;  // code points, with the end of the line
  };

  void add_line(Line::Kind kind, std::string text);
  void shorten();

  std::size_t limit_;
  std::deque<Line> lines_;
  std::size_t length_ = 0;     // of all lines
  std::int64_t messages_ = 0;  // that it stands for
  std::int64_t left_out_ = 0;  // lines that did not fit
};

// What `removing` of a summary names.
std::vector<std::string> removing_of(const Message& summary);

}  // namespace goondan::shipped
