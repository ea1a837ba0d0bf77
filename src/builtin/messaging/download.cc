#include "builtin/messaging/download.h"

#include <charconv>

#include "base/base64.h"
#include "base/utf8.h"
#include "builtin/arguments.h"
#include "builtin/messaging/fields.h"
#include "os/rooted_files.h"

namespace goondan::builtin::messaging {
namespace {

// How large the file is: what the server says, or at least what has come.
std::size_t file_size(const net::Response& file) {
  const std::string text = file.header("content-length");
  std::size_t size = 0;
  std::from_chars(text.data(), text.data() + text.size(), size);
  return std::max(size, file.body.size());
}

Error too_large(const Service& service, std::size_t size, std::size_t limit) {
  Error error{.code = ErrorCode::Limit,
              .message = std::string(service.title) + " file exceeds maxBytes limit (" +
                         std::to_string(size) + " > " + std::to_string(limit) + ")"};
  error.suggestion =
      size <= static_cast<std::size_t>(kMostMaxBytes)
          ? "Give a larger 'maxBytes'."
          : "Files of more than " + std::to_string(kMostMaxBytes) + " bytes cannot be downloaded.";
  return error;
}

}  // namespace

Result<DownloadOptions> read_download_options(const Services& services, const ToolContext& context,
                                              const JsonObject& input) {
  const std::int64_t max_bytes = GDN_TRY(
      read_number(input, "maxBytes", {.least = 1, .most = kMostMaxBytes}, kDefaultMaxBytes));
  DownloadOptions options{.max_bytes = static_cast<std::size_t>(max_bytes),
                          .base64 = flag_argument(input, "includeBase64").value_or(true),
                          .data_url = flag_argument(input, "includeDataUrl").value_or(true)};
  const auto path = trimmed_argument(input, {"savePath", "outputPath"});
  if (!path) return options;
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  options.save_to = GDN_TRY(workspace.resolve(*path, os::Access::ReadWrite));
  return options;
}

Result<net::Response> download(const Caller& caller, ApiRequest request,
                               const DownloadOptions& options) {
  // One byte more tells a file that is too large from one that just fits.
  request.http.max_body = options.max_bytes + 1;
  request.http.headers.push_back({.name = "Accept-Encoding", .value = "identity"});
  const std::string_view action = request.action;
  net::Response file = GDN_TRY(fetch(caller, std::move(request)));
  if (file.status < 200 || file.status > 299)
    return service_error(caller.service, action, status_line(file));
  if (file.truncated || file.body.size() > options.max_bytes)
    return too_large(caller.service, file_size(file), options.max_bytes);
  return file;
}

Result<void> add_content(JsonObject& result, const net::Response& file,
                         const DownloadOptions& options) {
  result["savedPath"] = nullptr;
  result["base64"] = nullptr;
  result["dataUrl"] = nullptr;
  if (options.save_to) {
    GDN_TRY(os::write_file(*options.save_to, file.body, os::WriteMode::Replace));
    result["savedPath"] = utf8::repaired(options.save_to->absolute);
  }
  if (!options.base64) return {};
  const std::string encoded = base64_encode(file.body);
  result["base64"] = encoded;
  const std::string type = utf8::repaired(file.header("content-type"));
  if (options.data_url && !type.empty() && !encoded.empty())
    result["dataUrl"] = "data:" + type + ";base64," + encoded;
  return {};
}

Json header_or_null(const net::Response& file, std::string_view name) {
  const std::string value = file.header(name);
  return value.empty() ? Json(nullptr) : Json(utf8::repaired(value));
}

}  // namespace goondan::builtin::messaging
