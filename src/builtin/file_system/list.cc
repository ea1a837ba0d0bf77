#include "builtin/arguments.h"
#include "builtin/file_system/file_system.h"
#include "os/path_text.h"
#include "os/rooted_files.h"

namespace goondan::builtin::file_system {
namespace {

// Only the call's own deadline counts.
constexpr std::chrono::hours kNoLimit{24};

os::ListOptions list_options(const ToolContext& context, const JsonObject& input) {
  using Keep = os::ListOptions::Keep;
  using Depth = os::ListOptions::Depth;
  const bool folders = flag_argument(input, "includeDirs").value_or(true);
  const bool files = flag_argument(input, "includeFiles").value_or(true);
  os::ListOptions options;
  options.depth = flag_argument(input, "recursive").value_or(false) ? Depth::All : Depth::OneLevel;
  if (folders) {
    options.keep = files ? Keep::All : Keep::FoldersOnly;
  } else {
    options.keep = files ? Keep::FilesOnly : Keep::Nothing;
  }
  options.deadline = deadline_within(context, kNoLimit, Ending::Quick);
  options.stop = context.stop();
  return options;
}

JsonArray entries_json(const os::RootedPath& folder, const std::vector<os::ListEntry>& entries) {
  const std::string prefix = folder.absolute == "/" ? "/" : folder.absolute + "/";
  JsonArray array;
  array.reserve(entries.size());
  for (const os::ListEntry& entry : entries) {
    const bool file = entry.type == os::ListEntry::Type::File;
    JsonObject object{{"name", os::split_path(entry.path).name},
                      {"path", prefix + entry.path},
                      {"type", file ? "file" : "dir"}};
    if (file) object["size"] = entry.size;
    array.emplace_back(std::move(object));
  }
  return array;
}

}  // namespace

Result<Json> list(const Services& services, ToolContext& context, const JsonObject& input) {
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  std::string_view asked = text_argument(input, "path").value_or(".");
  if (asked.empty()) asked = ".";
  const os::RootedPath path = GDN_TRY(workspace.resolve(asked, os::Access::Read));
  const os::ListOptions options = list_options(context, input);
  const os::Listing listing = GDN_TRY(os::list_folder(path, options));

  const bool slash = asked.ends_with('/') && path.absolute != "/";
  JsonObject result{{"path", path.absolute + (slash ? "/" : "")},
                    {"recursive", options.depth == os::ListOptions::Depth::All},
                    {"count", listing.entries.size()}};
  result["entries"] = entries_json(path, listing.entries);
  if (listing.truncated) {
    result["truncated"] = true;
    result["total"] = listing.total;
    result["limit"] = options.max_entries;
  }
  if (listing.unreadable > 0) result["unreadable"] = listing.unreadable;
  return result;
}

}  // namespace goondan::builtin::file_system
