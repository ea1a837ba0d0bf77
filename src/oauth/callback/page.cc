#include "oauth/callback/page.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace goondan::oauth {
namespace {

using Page = CallbackOutcome::Page;

struct Words {
  int status;
  std::string_view title;
  std::string text;
};

constexpr std::array<std::pair<int, std::string_view>, 8> kReasons{{
    {200, "OK"},
    {400, "Bad Request"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {431, "Request Header Fields Too Large"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
}};

std::string_view reason_of(int status) {
  for (const auto& [number, reason] : kReasons)
    if (number == status) return reason;
  return "Error";
}

// The name of the application is the bundle's; still it is text, not HTML.
std::string as_html(std::string_view text) {
  std::string html;
  for (const char c : utf8::repaired(text)) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string whole_answer(const Words& words) {
  const std::string body =
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>" +
      std::string(words.title) + "</title></head>\n<body>\n<h1>" + std::string(words.title) +
      "</h1>\n<p>" + words.text + "</p>\n</body>\n</html>\n";
  std::string answer = "HTTP/1.1 " + std::to_string(words.status) + " " +
                       std::string(reason_of(words.status)) + "\r\n";
  if (words.status == 405) answer += "Allow: GET\r\n";
  answer +=
      "Content-Type: text/html; charset=utf-8\r\n"
      "Cache-Control: no-store\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; "
      "frame-ancestors 'none'\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "Connection: close\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n";
  return answer + body;
}

// The codes are those of docs/oauth.md.
std::string_view problem_words(std::string_view problem) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kProblems{{
      {"invalid_state", "The answer does not belong to this connection."},
      {"session_not_found", "There is no such connection under way."},
      {"session_already_used", "The link has been used before."},
      {"session_expired", "The link was too old."},
      {"subject_mismatch", "You have signed in as somebody else than the one who was asked."},
      {"token_exchange_failed", "The service did not hand out access."},
      {"invalid_issuer", "The answer came from another service than the one that was asked."},
      {"subject_unknown", "The service did not say who you are."},
  }};
  for (const auto& [code, words] : kProblems)
    if (code == problem) return words;
  return "The connection could not be made.";
}

Words words_for(const CallbackOutcome& outcome) {
  const std::string again = " Go back to where you got the link and ask for a new one.";
  const std::string name = outcome.app.empty() ? "the application" : as_html(outcome.app);
  switch (outcome.page) {
    case Page::Connected:
      return {200, "Connected", "You have connected " + name + ". You can close this window."};
    case Page::Refused:
      return {200, "Not connected",
              "You did not agree, so " + name + " was not connected. You can close this window."};
    case Page::Failed:
      return {400, "Not connected", std::string(problem_words(outcome.problem)) + again};
    case Page::Unknown:
      return {400, "Unknown link", "This link is not known here." + again};
    case Page::Expired:
      return {400, "Link expired", "This link was too old when you came back." + again};
    case Page::Pending:
      return {503, "Not connected yet",
              "The service could not be reached. Reload this page to try again."};
    case Page::Used:
      return {400, "Link already used",
              "This link works only once, and it has been used. If you are not connected, ask for "
              "a new one."};
  }
  return {400, "Not connected", again};
}

std::string refusal_words(int status) {
  switch (status) {
    case 404:
      return "There is nothing at this address.";
    case 405:
      return "Only GET is answered here.";
    case 408:
      return "The request took too long. Reload the page.";
    case 431:
      return "The request is too large.";
    case 503:
      return "The program is ending. Go back to where you got the link and ask for a new one.";
    default:
      return "The request could not be understood.";
  }
}

}  // namespace

std::string outcome_answer(const CallbackOutcome& outcome) {
  return whole_answer(words_for(outcome));
}

std::string refusal_answer(int status) {
  return whole_answer({status, reason_of(status), refusal_words(status)});
}

}  // namespace goondan::oauth
