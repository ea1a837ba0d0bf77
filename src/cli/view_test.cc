#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/view_line.h"
#include "cli/view_live.h"
#include "cli/view_screen.h"
#include "cli/view_stream.h"
#include "cli/view_totals.h"
#include "cli/view_width.h"
#include "cli/view_words.h"

namespace goondan::cli {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ViewWidth, CountsLettersOfEastAsiaAndEmojiAsTwoColumnsAndMarksAsNone) {
  EXPECT_EQ(columns(""), 0U);
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("한국어"), 6U);
  EXPECT_EQ(columns("日本"), 4U);
  EXPECT_EQ(columns("e\u0301"), 1U);
  EXPECT_EQ(columns("😀"), 2U);
  EXPECT_EQ(columns("❤\uFE0F"), 2U);
  EXPECT_EQ(columns("ｆ"), 2U);
  EXPECT_EQ(columns("▌→✓█…⠋"), 6U);
}

TEST(ViewWidth, CutsWithoutSplittingACharacterFromItsMarks) {
  EXPECT_EQ(fitting("ae\u0301b", 2), "ae\u0301");
  EXPECT_EQ(fitting("한국", 3), "한");
  EXPECT_EQ(cut_to("한국어", 5), "한국…");
  EXPECT_EQ(cut_to("한국어", 6), "한국어");
  EXPECT_EQ(cut_to("한국어", 4), "한…");
  EXPECT_EQ(cut_to("abc", 0), "");
  EXPECT_EQ(cut_to("abc", 1), "…");
}

TEST(ViewWidth, BreaksBetweenWordsAndWithinThoseThatDoNotFit) {
  EXPECT_THAT(wrapped("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("abcdefgh ij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(wrapped("a\n\nb", 4), ElementsAre("a", "", "b"));
  EXPECT_THAT(wrapped("", 4), ElementsAre(""));
  EXPECT_THAT(wrapped("한국어 글", 5), ElementsAre("한국", "어 글"));
  EXPECT_THAT(wrapped("한", 1), ElementsAre("한"));
  EXPECT_THAT(wrapped("    indented words", 10), ElementsAre("    indent", "ed words"));
}

TEST(ViewLine, ShortensWhatMayBeCutFirstAndKeepsTheRest) {
  const Line line{{.text = "name"},
                  {.text = "  a=\"long text\"", .cut = Span::Cut::First},
                  {.text = "  0.12 s"}};
  EXPECT_EQ(render(line, 80, Paint::Off), "name  a=\"long text\"  0.12 s");
  EXPECT_EQ(render(line, 20, Paint::Off), "name  a=\"lo…  0.12 s");
  EXPECT_EQ(render(line, 14, Paint::Off), "name  0.12 s");
  EXPECT_EQ(render(line, 4, Paint::Off), "nam…");
  EXPECT_EQ(render(line, 0, Paint::Off), "");
}

TEST(ViewLine, PaintsOnlyWhereColoursAreOn) {
  const Line line{{.text = "bad", .style = Style::Red}, {.text = " x"}};
  EXPECT_EQ(render(line, 80, Paint::Off), "bad x");
  EXPECT_EQ(render(line, 80, Paint::On), "\033[31mbad\033[0m x");
}

TEST(ViewWords, MakesForeignTextHarmless) {
  EXPECT_EQ(one_line(" a\r\n\tb \x1b[2J "), "a b \\x1b[2J");
  EXPECT_EQ(clean_text("\u202Egnp"), "\\u202egnp");
  EXPECT_EQ(clean_text("a\tb"), "a    b");
  EXPECT_EQ(one_line(std::string(10'000, 'x')).size(), kMaxShownCharacters - 1 + 3);
}

TEST(ViewWords, SaysArgumentsOnOneLine) {
  EXPECT_EQ(arguments_text(JsonObject{{"command", "ls\n-l"}, {"n", 3}, {"list", JsonArray{1, 2}}}),
            "command=\"ls -l\" n=3 list=[1,2]");
  EXPECT_EQ(arguments_text(JsonObject{}), "");
  EXPECT_EQ(arguments_text(nullptr), "");
  EXPECT_EQ(arguments_text("text"), "\"text\"");
}

TEST(ViewWords, WritesTimesAsPeopleReadThem) {
  EXPECT_EQ(duration_text(milliseconds(-5)), "0 ms");
  EXPECT_EQ(duration_text(milliseconds(123)), "0.12 s");
  EXPECT_EQ(duration_text(milliseconds(59'999)), "59.9 s");
  EXPECT_EQ(duration_text(milliseconds(125'000)), "2 min 05 s");
  EXPECT_EQ(duration_text(milliseconds(7'260'000)), "2 h 01 min");
  EXPECT_EQ(count_text(12'345), "12.3k");
  EXPECT_EQ(counted(1, "call"), "1 call");
}

TEST(TextStream, GivesTheSameRowsHoweverTheTextWasCut) {
  const std::string text =
      "\n\nThe quick brown fox jumps over 한국어 문장 the lazy dog.\n\nEnd of it";
  const std::vector<std::string> whole = wrapped(text.substr(2), 12);
  for (std::size_t piece = 1; piece < 9; ++piece) {
    TextStream stream;
    std::vector<std::string> rows;
    std::size_t at = 0;
    while (at < text.size()) {
      std::size_t end = std::min(at + piece, text.size());
      while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        ++end;
      stream.append(std::string_view(text).substr(at, end - at));
      at = end;
      for (std::string& row : stream.take_rows(12))
        rows.push_back(std::move(row));
      EXPECT_LE(columns(stream.partial(12)), 12U);
    }
    for (std::string& row : stream.take_rest(12))
      rows.push_back(std::move(row));
    EXPECT_EQ(rows, whole) << "pieces of " << piece;
  }
}

TEST(TextStream, AddsWhatHasNotComeInPieces) {
  TextStream stream;
  stream.append("Hel");
  stream.complete("Hello");
  EXPECT_THAT(stream.take_rest(80), ElementsAre("Hello"));
  stream = {};
  stream.complete("whole");
  EXPECT_THAT(stream.take_rest(80), ElementsAre("whole"));
}

TEST(Totals, CountStepsCallsAndTokens) {
  Totals totals;
  totals.add({{"type", "tool.completed"}, {"status", "error"}});
  totals.add({{"type", "tool.completed"}, {"status", "ok"}});
  totals.add({{"type", "step.completed"},
              {"usage", JsonObject{{"inputTokens", 1'200}, {"outputTokens", 34}}}});
  EXPECT_EQ(totals.text(milliseconds(4'200), " · "),
            "1 step · 2 calls (1 failed) · 1.2k tokens in, 34 out · 4.2 s");
}

struct Written {
  std::string bytes;
  std::size_t count = 0;
  Screen::Write writer() {
    return [this](std::string_view text) {
      bytes = text;
      ++count;
    };
  }
};

TEST(Screen, WritesEachChangeInOnePieceAndNothingWhereNothingHasChanged) {
  Written written;
  Screen screen(written.writer());
  const ScreenSize size{.columns = 20, .rows = 10};
  screen.show({"done"}, {"live 1", "live 2"}, size);
  EXPECT_EQ(written.bytes, "\033[?25l\rdone\033[K\nlive 1\033[K\nlive 2\033[J\033[?25h");
  screen.show({}, {"live 1", "live 2"}, size);
  EXPECT_EQ(written.count, 1U);
  screen.show({}, {"live 3"}, size);
  EXPECT_EQ(written.bytes, "\033[?25l\r\033[1Alive 3\033[J\033[?25h");
  screen.show({}, {}, size);
  EXPECT_EQ(written.bytes, "\033[?25l\r\033[J\033[?25h");
}

TEST(Screen, FindsTheTopOfWhatItDrewAfterTheTerminalGotNarrower) {
  Written written;
  Screen screen(written.writer());
  screen.show({}, {"123456789", "\033[31m12345\033[0m"}, {.columns = 20, .rows = 10});
  screen.show({}, {"x"}, {.columns = 5, .rows = 10});
  EXPECT_THAT(written.bytes, HasSubstr("\033[2A"));
}

TEST(Screen, WipesWhatWasTypedBehindThePrompt) {
  Written written;
  Screen screen(written.writer());
  screen.show({}, {"> "}, {.columns = 10, .rows = 10});
  screen.entered(12);  // two rows, and the cursor is below them
  screen.show({"head"}, {}, {.columns = 10, .rows = 10});
  EXPECT_EQ(written.bytes, "\033[?25l\r\033[2Ahead\033[K\n\033[J\033[?25h");
}

JsonObject about(std::string_view type, JsonObject more) {
  JsonObject observation{
      {"type", type}, {"agentName", "writer"}, {"instanceKey", "default"}, {"turnId", "t"}};
  for (auto& [key, value] : more)
    observation[key] = value;
  return observation;
}

TEST(LiveView, LeavesNothingOfTheLiveAreaBehind) {
  Written written;
  {
    LiveView view({.usual_key = "default",
                   .paint = Paint::Off,
                   .size = [] { return ScreenSize{.columns = 40, .rows = 10}; },
                   .write = written.writer()});
    const Deadline now = Clock::now();
    view.observe(about("turn.started", {{"id", "m"}, {"input", "go"}}), now);
    view.observe(about("message.delta", {{"text", "half a li"}}), now);
    view.draw(now);
    EXPECT_THAT(written.bytes, HasSubstr("half a li"));
    EXPECT_TRUE(view.next_draw().has_value());
    view.finish({}, {});
  }
  EXPECT_THAT(written.bytes, HasSubstr("  half a li\033[K\n\033[J"));
  EXPECT_THAT(written.bytes, Not(HasSubstr("writes")));
}

TEST(LiveView, NamesTheCallsThatRun) {
  Written written;
  LiveView view({.usual_key = "default", .paint = Paint::Off, .write = written.writer()});
  EXPECT_THAT(view.running_calls(), IsEmpty());
  view.observe(about("tool.called", {{"toolName", "bash__exec"}, {"toolCallId", "c"}}), {});
  EXPECT_EQ(view.running_calls(), "bash__exec (writer)");
}

}  // namespace
}  // namespace goondan::cli
