#include <array>

#include "extension/shipped/code_points.h"
#include "extension/shipped/search_words.h"

namespace goondan::shipped {
namespace {

constexpr float kFirstSyllableWeight = 0.3F;

// Longer ones first.
constexpr std::array<std::u32string_view, 27> kEndings{
    U"해주세요", U"해주십시오", U"하십시오", U"하였다", U"했습니다", U"합니다", U"됩니다",
    U"입니다",   U"하세요",     U"해줄래",   U"해줘요", U"하려고",   U"하려면", U"하도록",
    U"해줘",     U"해라",       U"하는",     U"하기",   U"하다",     U"한다",   U"하고",
    U"하여",     U"해서",       U"된다",     U"되는",   U"시켜",     U"해"};

constexpr std::array<std::u32string_view, 31> kParticles{
    U"에서는", U"으로는", U"에게서", U"으로부터", U"이라는", U"에서", U"에게", U"으로",
    U"까지",   U"부터",   U"한테",   U"처럼",     U"보다",   U"이나", U"이랑", U"라는",
    U"들을",   U"들의",   U"들이",   U"을",       U"를",     U"이",   U"가",   U"은",
    U"는",     U"의",     U"에",     U"로",       U"와",     U"과",   U"도"};

template <std::size_t N>
bool drop_one(std::u32string_view& run, const std::array<std::u32string_view, N>& endings) {
  for (const std::u32string_view ending : endings) {
    // A word of one syllable with a particle cannot be told from one of two: those stay.
    if (run.size() < ending.size() + 2 || !run.ends_with(ending)) continue;
    run.remove_suffix(ending.size());
    return true;
  }
  return false;
}

}  // namespace

bool is_hangul(char32_t code_point) {
  return (code_point >= 0xac00 && code_point <= 0xd7a3) ||
         (code_point >= 0x3131 && code_point <= 0x318e);
}

std::u32string_view hangul_stem(std::u32string_view run) {
  if (!drop_one(run, kEndings)) drop_one(run, kParticles);
  return run;
}

void append_hangul_words(std::vector<SearchWord>& words, std::u32string_view run, float weight) {
  const std::u32string_view stem = hangul_stem(run);
  if (stem.empty()) return;
  const bool alone = stem.size() == 1;
  words.push_back({.text = to_utf8(stem.substr(0, 1)),
                   .weight = alone ? weight : weight * kFirstSyllableWeight});
  for (std::size_t at = 0; at + 1 < stem.size(); ++at)
    words.push_back({.text = to_utf8(stem.substr(at, 2)), .weight = weight});
}

}  // namespace goondan::shipped
