// The text that an agent is writing, cut into rows as it comes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace goondan::cli {

// A value; made anew for each answer of a model. Text is made harmless on its way in.
class TextStream {
 public:
  void append(std::string_view piece);
  // The whole text is known: what has not come in pieces is added.
  void complete(std::string_view whole);

  // Rows that will not change any more, each given once.
  std::vector<std::string> take_rows(std::size_t room);
  // The row that is being written; empty: none.
  [[nodiscard]] std::string partial(std::size_t room) const;
  // Everything that is left.
  std::vector<std::string> take_rest(std::size_t room);
  [[nodiscard]] bool fresh() const { return came_ == 0; }  // nothing has come
  [[nodiscard]] bool empty() const { return pending_.empty(); }

 private:
  std::string pending_;   // has not been given as rows
  std::size_t came_ = 0;  // bytes of the original text
  bool begun_ = false;    // with something other than line breaks
};

}  // namespace goondan::cli
