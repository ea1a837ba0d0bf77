#include "extension/shipped/search_index.h"

#include <gtest/gtest.h>

#include "extension/shipped/code_points.h"
#include "extension/shipped/search_words.h"

namespace goondan::shipped {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::vector<SearchWord> made;
  append_search_words(made, text, 1.0F);
  std::vector<std::string> texts;
  for (SearchWord& word : made)
    texts.push_back(std::move(word.text));
  return texts;
}
using Texts = std::vector<std::string>;

TEST(SearchWords, TakeIdentifiersApart) {
  EXPECT_EQ(words("files__readAll"), (Texts{"file", "read", "all", "readall"}));
  EXPECT_EQ(words("HTTPServer v2.oauth_token"),
            (Texts{"http", "server", "httpserver", "v2", "oauth", "token"}));
  EXPECT_EQ(words("GitHub"), (Texts{"git", "hub", "github"}));
}

TEST(SearchWords, AreStems) {
  for (const auto& [a, b] :
       std::vector<std::pair<std::string, std::string>>{{"files", "file"},
                                                        {"creating", "create"},
                                                        {"created", "creates"},
                                                        {"running", "run"},
                                                        {"queries", "query"},
                                                        {"searches", "search"},
                                                        {"translation", "translate"},
                                                        {"deleted", "delete"},
                                                        {"calling", "call"}}) {
    EXPECT_EQ(english_stem(a), english_stem(b));
  }
  for (const char* word : {"string", "bed", "bus", "css", "status", "this"})
    EXPECT_EQ(english_stem(word), word);
}

TEST(SearchWords, LeaveKoreanParticlesAndEndingsOff) {
  const auto stem = [](std::u32string_view run) { return to_utf8(hangul_stem(run)); };
  EXPECT_EQ(stem(U"파일을"), "파일");
  EXPECT_EQ(stem(U"파일에서"), "파일");
  EXPECT_EQ(stem(U"삭제해줘"), "삭제");
  EXPECT_EQ(stem(U"검색합니다"), "검색");
  EXPECT_EQ(stem(U"회의"), "회의");
  EXPECT_EQ(words("달력을"), (Texts{"달", "달력"}));
}

TEST(SearchWords, SurviveAnyBytes) {
  EXPECT_EQ(words("\xff\xfe ok \xed\xa0\x80"), Texts{"ok"});
  EXPECT_EQ(words("東京都"), (Texts{"東京", "京都"}));
  EXPECT_EQ(words("ÄRGER"), Texts{"ärger"});
  EXPECT_TRUE(words("…、。!?🎉").empty());
}

class Search : public testing::Test {
 protected:
  Search() {
    add("files__read", "Reads a file from the workspace and returns its content.",
        {"path", "maxBytes"});
    add("files__write", "Writes text to a file, creating it if needed.", {"path", "content"});
    add("files__list", "Lists the entries of a directory.", {"path"});
    add("mail__send", "Sends an e-mail to one or several recipients.", {"to", "subject", "body"});
    add("mail__search", "Searches the mailbox.", {"query"});
    add("calendar__createEvent", "Adds an event to the calendar.", {"title", "start", "attendees"});
    add("weather__now", "Current weather of a city.", {"city"});
    add("github__create_issue", "Opens an issue in a repository.", {"repo", "title"});
    add("memo__add", "메모를 새로 추가합니다.", {"text"});
    add("memo__find", "저장된 메모를 검색합니다.", {"query"});
    add("todo__manage", "할 일을 관리합니다.", {"item"});
    add("train__book", "기차표를 예약하고 결제합니다.", {"from", "to"});
    index.update(catalog(), "");
  }

  void add(std::string name, std::string description, const Texts& parameters) {
    JsonObject properties;
    for (const std::string& parameter : parameters)
      properties[parameter] = JsonObject{{"type", "string"}};
    auto made = CatalogEntry::make(
        {.name = std::move(name),
         .description = std::move(description),
         .parameters = JsonObject{{"type", "object"}, {"properties", std::move(properties)}}});
    ASSERT_TRUE(made.ok());
    entries.push_back(*made);
  }
  [[nodiscard]] ToolCatalog catalog() const { return ToolCatalog(entries); }

  Texts names(std::string_view query, std::size_t limit = 10) {
    Texts found;
    for (const SearchIndex::Hit& hit : index.search(query, limit))
      found.push_back(hit.tool->name());
    return found;
  }
  std::string best(std::string_view query) {
    const Texts found = names(query);
    return found.empty() ? "nothing" : found[0];
  }

  std::vector<ToolCatalog::EntryPtr> entries;
  SearchIndex index;
};

TEST_F(Search, FindsByWhatIsAskedInEnglish) {  // REQ: CAT-3
  EXPECT_EQ(best("read a file"), "files__read");
  EXPECT_EQ(best("writing files"), "files__write");
  EXPECT_EQ(best("send an email to my boss"), "mail__send");
  EXPECT_EQ(best("what is the weather"), "weather__now");
  EXPECT_EQ(best("open github issue"), "github__create_issue");
  EXPECT_EQ(best("attendees"), "calendar__createEvent");
}

TEST_F(Search, FindsByWhatIsAskedInKorean) {
  EXPECT_EQ(best("메모 추가해줘"), "memo__add");
  EXPECT_EQ(best("메모에서 검색"), "memo__find");
  EXPECT_EQ(best("기차표를 예약해주세요"), "train__book");
  EXPECT_EQ(best("할 일 관리"), "todo__manage");
}

TEST_F(Search, FindsAcrossTheTwoLanguages) {
  EXPECT_EQ(best("파일 읽어줘"), "files__read");
  EXPECT_EQ(best("메일을 보내줘"), "mail__send");
  EXPECT_EQ(best("오늘 날씨는?"), "weather__now");
  EXPECT_EQ(best("일정 추가"), "calendar__createEvent");
  EXPECT_EQ(best("reservation payment"), "train__book");
}

TEST_F(Search, ForgivesSlipsAndTakesBeginnings) {
  EXPECT_EQ(best("calender evnt"), "calendar__createEvent");
  EXPECT_EQ(best("wether"), "weather__now");
  EXPECT_EQ(best("repositroy"), "github__create_issue");
  EXPECT_EQ(best("calend"), "calendar__createEvent");
}

TEST_F(Search, MeansTheToolThatIsNamed) {
  EXPECT_EQ(names("use files__list please"), Texts{"files__list"});
}

TEST_F(Search, FindsNothingForNothing) {
  EXPECT_TRUE(names("").empty());
  EXPECT_TRUE(names("the of").empty());
  EXPECT_TRUE(names("xyzzyplugh").empty());
  EXPECT_TRUE(names("\xff\xff").empty());
}

TEST_F(Search, ReturnsNoMoreThanIsAskedFor) {
  EXPECT_EQ(names("file", 2).size(), 2U);
  EXPECT_TRUE(names("file", 0).empty());
}

TEST_F(Search, FollowsTheCatalog) {
  add("files__delete", "Deletes a file.", {"path"});
  std::erase_if(entries, [](const auto& entry) { return entry->name() == "files__read"; });
  index.update(catalog(), "files__write");
  EXPECT_EQ(best("delete file"), "files__delete");
  EXPECT_EQ(names("file"), (Texts{"files__delete", "files__list"}));
  EXPECT_EQ(index.size(), 11U);
}

TEST_F(Search, FindsTheSameAfterManyChanges) {
  const Texts before = names("read file");
  const auto kept = entries;
  for (int round = 0; round < 50; ++round) {
    entries = kept;
    for (int i = 0; i < 10; ++i)
      add("extra" + std::to_string(i) + "__run", "Reads a file number " + std::to_string(round),
          {});
    index.update(catalog(), "");
  }
  entries = kept;
  index.update(catalog(), "");
  EXPECT_EQ(names("read file"), before);
  EXPECT_EQ(index.size(), kept.size());
}

}  // namespace
}  // namespace goondan::shipped
