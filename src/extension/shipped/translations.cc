#include "extension/shipped/translations.h"

#include <algorithm>
#include <array>

#include "extension/shipped/code_points.h"
#include "extension/shipped/search_words.h"

namespace goondan::shipped {
namespace {

struct Pair {
  std::u32string_view korean;  // one syllable: the beginning of a verb
  std::string_view english;
};

constexpr std::array kPairs{Pair{U"파일", "file"},
                            Pair{U"폴더", "folder directory"},
                            Pair{U"디렉터리", "directory folder"},
                            Pair{U"디렉토리", "directory folder"},
                            Pair{U"문서", "document"},
                            Pair{U"읽", "read"},
                            Pair{U"쓰", "write"},
                            Pair{U"써", "write"},
                            Pair{U"작성", "write compose"},
                            Pair{U"저장", "save store"},
                            Pair{U"찾", "find search"},
                            Pair{U"검색", "search"},
                            Pair{U"조회", "query get lookup"},
                            Pair{U"목록", "list"},
                            Pair{U"나열", "list"},
                            Pair{U"삭제", "delete remove"},
                            Pair{U"지우", "delete remove"},
                            Pair{U"지워", "delete remove"},
                            Pair{U"제거", "remove delete"},
                            Pair{U"추가", "add"},
                            Pair{U"생성", "create"},
                            Pair{U"만들", "create make"},
                            Pair{U"만드", "create make"},
                            Pair{U"수정", "edit update modify"},
                            Pair{U"변경", "change update"},
                            Pair{U"바꾸", "change replace"},
                            Pair{U"바꿔", "change replace"},
                            Pair{U"갱신", "update refresh"},
                            Pair{U"업데이트", "update"},
                            Pair{U"보내", "send"},
                            Pair{U"전송", "send transfer"},
                            Pair{U"발송", "send"},
                            Pair{U"받", "receive get"},
                            Pair{U"가져오", "get fetch import"},
                            Pair{U"다운로드", "download"},
                            Pair{U"내려받", "download"},
                            Pair{U"업로드", "upload"},
                            Pair{U"올리", "upload post"},
                            Pair{U"메일", "mail email"},
                            Pair{U"이메일", "email mail"},
                            Pair{U"메시지", "message"},
                            Pair{U"문자", "message sms text"},
                            Pair{U"채널", "channel"},
                            Pair{U"채팅", "chat"},
                            Pair{U"대화", "conversation chat"},
                            Pair{U"알림", "notification alert"},
                            Pair{U"일정", "calendar schedule event"},
                            Pair{U"달력", "calendar"},
                            Pair{U"캘린더", "calendar"},
                            Pair{U"예약", "reservation booking schedule"},
                            Pair{U"회의", "meeting"},
                            Pair{U"할일", "todo task"},
                            Pair{U"작업", "task job"},
                            Pair{U"이슈", "issue"},
                            Pair{U"댓글", "comment"},
                            Pair{U"날씨", "weather"},
                            Pair{U"기온", "temperature weather"},
                            Pair{U"예보", "forecast"},
                            Pair{U"지도", "map"},
                            Pair{U"위치", "location"},
                            Pair{U"주소", "address"},
                            Pair{U"번역", "translate"},
                            Pair{U"요약", "summarize summary"},
                            Pair{U"이미지", "image"},
                            Pair{U"사진", "photo image"},
                            Pair{U"그림", "image picture draw"},
                            Pair{U"영상", "video"},
                            Pair{U"동영상", "video"},
                            Pair{U"음성", "voice audio speech"},
                            Pair{U"음악", "music"},
                            Pair{U"사용자", "user"},
                            Pair{U"회원", "member user"},
                            Pair{U"고객", "customer client"},
                            Pair{U"연락처", "contact"},
                            Pair{U"계정", "account"},
                            Pair{U"로그인", "login"},
                            Pair{U"비밀번호", "password"},
                            Pair{U"권한", "permission"},
                            Pair{U"결제", "payment pay"},
                            Pair{U"주문", "order"},
                            Pair{U"환불", "refund"},
                            Pair{U"송장", "invoice"},
                            Pair{U"청구", "invoice billing"},
                            Pair{U"가격", "price"},
                            Pair{U"재고", "stock inventory"},
                            Pair{U"주식", "stock share"},
                            Pair{U"환율", "exchange rate currency"},
                            Pair{U"계산", "calculate"},
                            Pair{U"통계", "statistics"},
                            Pair{U"보고서", "report"},
                            Pair{U"데이터베이스", "database"},
                            Pair{U"데이터", "data"},
                            Pair{U"테이블", "table"},
                            Pair{U"명령", "command"},
                            Pair{U"실행", "run execute"},
                            Pair{U"터미널", "terminal shell"},
                            Pair{U"브라우저", "browser"},
                            Pair{U"웹", "web"},
                            Pair{U"페이지", "page"},
                            Pair{U"뉴스", "news"},
                            Pair{U"저장소", "repository"},
                            Pair{U"코드", "code"},
                            Pair{U"배포", "deploy release"},
                            Pair{U"로그", "log"},
                            Pair{U"시간", "time"},
                            Pair{U"시계", "clock time"},
                            Pair{U"날짜", "date"},
                            Pair{U"복사", "copy"},
                            Pair{U"이동", "move"},
                            Pair{U"변환", "convert transform"},
                            Pair{U"압축", "compress zip"},
                            Pair{U"암호", "encrypt password"},
                            Pair{U"에이전트", "agent"},
                            Pair{U"도구", "tool"}};

// The words that begin with a syllable are many; only at the beginning it is the verb.
bool speaks_of(std::u32string_view run, std::u32string_view word) {
  return word.size() == 1 ? run.starts_with(word) : run.find(word) != std::u32string_view::npos;
}

std::vector<std::u32string_view> hangul_runs(std::u32string_view text) {
  std::vector<std::u32string_view> runs;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_hangul(text[end]))
      ++end;
    if (end > begin) runs.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return runs;
}

}  // namespace

Translations::Translations() {
  for (const Pair& pair : kPairs) {
    std::vector<SearchWord> words;
    append_search_words(words, pair.english, 1.0F);
    Known known{.korean = pair.korean, .english = {}};
    for (SearchWord& word : words)
      known.english.push_back(std::move(word.text));
    known_.push_back(std::move(known));
  }
}

void Translations::append(std::vector<SearchWord>& words, std::string_view query,
                          float weight) const {
  const std::u32string points = code_points(query);
  const std::vector<std::u32string_view> runs = hangul_runs(points);
  std::vector<SearchWord> asked;
  append_search_words(asked, query, 1.0F);
  for (const Known& known : known_) {
    // Only the first of the English words is what the Korean one means above all.
    if (std::ranges::find(asked, known.english.front(), &SearchWord::text) != asked.end()) {
      append_hangul_words(words, known.korean, weight);
    }
    const bool said = std::ranges::any_of(
        runs, [&known](std::u32string_view run) { return speaks_of(run, known.korean); });
    if (!said) continue;
    for (const std::string& word : known.english)
      words.push_back({.text = word, .weight = weight});
  }
}

}  // namespace goondan::shipped
