// Files from a messaging service: fetched whole or not at all, saved, and given to the model.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <goondan/json.h>
#include <goondan/result.h>

#include "builtin/messaging/api_call.h"
#include "os/workspace.h"

namespace goondan::builtin::messaging {

inline constexpr std::int64_t kDefaultMaxBytes = 3'000'000;
inline constexpr std::int64_t kMostMaxBytes = 20'000'000;

struct DownloadOptions {
  std::size_t max_bytes = 0;
  bool base64 = true;
  bool data_url = true;
  std::optional<os::RootedPath> save_to = {};
};

// `maxBytes`, `includeBase64`, `includeDataUrl`, and `savePath` or `outputPath`, which must be a
// place where the call may write.
Result<DownloadOptions> read_download_options(const Services& services, const ToolContext& context,
                                              const JsonObject& input);

// Fetches the file. Fails if the answer is not 2xx, or if it has more than `max_bytes`.
Result<net::Response> download(const Caller& caller, ApiRequest request,
                               const DownloadOptions& options);

// Saves the file if that was asked for, and adds `savedPath`, `base64` and `dataUrl`.
Result<void> add_content(JsonObject& result, const net::Response& file,
                         const DownloadOptions& options);

// A header of the file's answer; null if there is none.
Json header_or_null(const net::Response& file, std::string_view name);

}  // namespace goondan::builtin::messaging
