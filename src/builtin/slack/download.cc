#include "builtin/messaging/download.h"

#include <charconv>

#include "builtin/messaging/fields.h"
#include "builtin/slack/api.h"
#include "builtin/slack/handlers.h"

namespace goondan::builtin::slack {
namespace {

// A file's address is not always Slack's, and a token that is the caller's own must not go
// elsewhere either: the address may come from a message that anybody wrote.
Result<net::Url> file_url(const Services& services, const messaging::Token& token,
                          std::string_view given) {
  net::Url url = GDN_TRY(net::Url::parse(given));
  if (messaging::is_trusted(kSlack, services, url)) return url;
  Error error = messaging::wrong_host(kSlack, token, url);
  error.suggestion = "For a file that needs no token use http-fetch. " + error.suggestion;
  return error;
}

Json length_or_null(const net::Response& file) {
  const std::string text = file.header("content-length");
  std::uint64_t length = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool clear =
      !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
  return clear ? Json(length) : Json(nullptr);
}

// Slack sends whoever may not have the file to a page where people sign in.
bool is_sign_in_page(const net::Response& file, const net::Url& asked) {
  net::Url without_fragment = asked;
  without_fragment.fragment.clear();
  return file.url != asked.text() && file.url != without_fragment.text() &&
         file.header("content-type").starts_with("text/html");
}

Error not_for_this_token() {
  return messaging::service_error(
      kSlack, "file download", "Slack answered with a page to sign in instead of the file",
      "Check that the token is valid, that the bot is in the channel where the file was shared, "
      "and that its app has the scope files:read.");
}

}  // namespace

Result<Json> download_file(const Services& services, ToolContext& context,
                           const JsonObject& input) {
  messaging::Token token = GDN_TRY(messaging::read_token(kSlack, services, context, input));
  const std::string given =
      GDN_TRY(messaging::needed_argument(input, {"url", "fileUrl", "downloadUrl"}));
  const messaging::DownloadOptions options =
      GDN_TRY(messaging::read_download_options(services, context, input));
  const net::Url url = GDN_TRY(file_url(services, token, given));
  const auto timeout = GDN_TRY(messaging::read_timeout(input));
  // `apiBaseUrl` is not read: the file has an address of its own, which has been judged.
  const messaging::Access access{.token = std::move(token), .base = {}, .timeout = timeout};
  const messaging::Caller caller{
      .service = kSlack, .services = services, .context = context, .access = access};

  messaging::ApiRequest request{
      .action = "file download", .http = {}, .shown_url = url.safe_text()};
  request.http.url = url;
  request.http.headers = {authorization(access.token)};
  const net::Response file = GDN_TRY(messaging::download(caller, std::move(request), options));
  if (is_sign_in_page(file, url)) return not_for_this_token();

  JsonObject result{{"ok", true},
                    {"url", given},
                    {"contentType", messaging::header_or_null(file, "content-type")},
                    {"contentLength", length_or_null(file)},
                    {"sizeBytes", file.body.size()},
                    {"etag", messaging::header_or_null(file, "etag")},
                    {"contentDisposition", messaging::header_or_null(file, "content-disposition")}};
  GDN_TRY(messaging::add_content(result, file, options));
  return result;
}

}  // namespace goondan::builtin::slack
