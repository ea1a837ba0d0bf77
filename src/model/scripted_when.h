// Reading the conditions of a reply, and what the reader of replies shares with that.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/scripted_script.h"
#include "resource/field_values.h"
#include "resource/place.h"

namespace goondan::scripted {

// Reports a mistake at `place` as `E_SCRIPT`.
void report(const Place& place, Diagnostics& diagnostics, std::string message,
            std::string suggestion = {});

// The conditions at `place`, as far as they are right.
When read_when(const Place& place, Diagnostics& diagnostics);

template <class T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;

// The meaning of a word; nothing if it is not there, or not one of `words`, which is reported.
template <class T, std::size_t N>
std::optional<T> read_word(const std::optional<Place>& place, const Words<T, N>& words,
                           Diagnostics& diagnostics) {
  if (!place) return std::nullopt;
  const std::optional<std::string> text = read_text(*place, diagnostics);
  if (!text) return std::nullopt;
  std::string known;
  for (const auto& [word, value] : words) {
    if (word == *text) return value;
    known += (known.empty() ? "" : ", ") + in_backticks(word);
  }
  report(*place, diagnostics, in_backticks(place->key->text) + " cannot be " + in_backticks(*text),
         "Write one of " + known + ".");
  return std::nullopt;
}

}  // namespace goondan::scripted
