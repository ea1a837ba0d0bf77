#include "extension/shipped/search_words.h"

namespace goondan::shipped {
namespace {

void drop(std::string& word, std::size_t letters) {
  word.erase(word.size() - letters);
}

bool is_vowel(char c) {
  return std::string_view("aeiouy").contains(c);
}

void drop_plural(std::string& word) {
  if (word.size() <= 3 || !word.ends_with('s')) return;
  if (word.ends_with("ss") || word.ends_with("us") || word.ends_with("is")) return;
  if (word.ends_with("ies") && word.size() > 4) {
    drop(word, 3);
    word += 'y';
    return;
  }
  const bool hissing = word.ends_with("sses") || word.ends_with("xes") || word.ends_with("ches") ||
                       word.ends_with("shes") || word.ends_with("zes");
  drop(word, hissing ? 2 : 1);
}

// `running`, `run`; `creating`, `creat`; `string` and `bed` stay.
void drop_verb_ending(std::string& word) {
  const std::size_t ending = word.ends_with("ing") ? 3 : word.ends_with("ed") ? 2 : 0;
  if (ending == 0 || word.size() < ending + 3) return;
  const std::string_view rest = std::string_view(word).substr(0, word.size() - ending);
  if (rest.find_first_of("aeiouy") == std::string_view::npos) return;
  drop(word, ending);
  const char last = word.back();
  const bool doubled = word.size() > 3 && word[word.size() - 2] == last && !is_vowel(last);
  if (doubled && !std::string_view("lsz").contains(last)) drop(word, 1);
}

}  // namespace

std::string english_stem(std::string word) {
  drop_plural(word);
  drop_verb_ending(word);
  if (word.size() > 6 && word.ends_with("ation")) drop(word, 3);  // translation, translat
  if (word.size() > 6 && word.ends_with("ator")) drop(word, 2);
  if (word.size() > 4 && word.ends_with('e')) drop(word, 1);
  return word;
}

}  // namespace goondan::shipped
