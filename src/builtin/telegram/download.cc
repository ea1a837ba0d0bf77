#include "builtin/messaging/download.h"

#include "builtin/messaging/fields.h"
#include "builtin/telegram/api.h"
#include "builtin/telegram/handlers.h"

namespace goondan::builtin::telegram {

// Two requests: where the file is, and the file.
Result<Json> download_file(const Services& services, ToolContext& context,
                           const JsonObject& input) {
  messaging::Token token = GDN_TRY(messaging::read_token(kTelegram, services, context, input));
  const std::string asked = GDN_TRY(messaging::needed_argument(input, {"fileId", "file_id"}));
  const messaging::DownloadOptions options =
      GDN_TRY(messaging::read_download_options(services, context, input));
  const messaging::Access access =
      GDN_TRY(messaging::read_access(kTelegram, services, std::move(token), input));
  const messaging::Caller caller{
      .service = kTelegram, .services = services, .context = context, .access = access};

  const Json found = GDN_TRY(call(caller, "getFile", {{"file_id", asked}}));
  const std::string id = messaging::string_or(found, "file_id", "");
  const std::string path = messaging::string_or(found, "file_path", "");
  if (id.empty() || path.empty()) {
    return Error{.code = ErrorCode::Service,
                 .message = "[telegram] getFile result missing file_id/file_path",
                 .suggestion = "The file may be too big for the Bot API (20 MB), or expired."};
  }
  messaging::ApiRequest request = file_request(access, path);
  const std::string shown_url = request.shown_url;
  const net::Response file = GDN_TRY(messaging::download(caller, std::move(request), options));

  JsonObject result{{"ok", true},
                    {"fileId", id},
                    {"fileUniqueId", messaging::string_or_null(found, "file_unique_id")},
                    {"filePath", path},
                    {"fileSize", messaging::number_or_null(found, "file_size")},
                    {"downloadUrl", shown_url},
                    {"contentType", messaging::header_or_null(file, "content-type")},
                    {"sizeBytes", file.body.size()}};
  GDN_TRY(messaging::add_content(result, file, options));
  return result;
}

}  // namespace goondan::builtin::telegram
