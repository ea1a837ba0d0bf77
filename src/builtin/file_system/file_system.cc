#include "builtin/file_system/file_system.h"

#include "builtin/arguments.h"
#include "builtin/file_system/embedded.h"
#include "builtin/file_system/file_text.h"
#include "os/path_text.h"

namespace goondan::builtin::file_system {
namespace {

// A file that is missing, and no name near it that could be meant.
Error with_hint(Error error) {
  if (error.code == ErrorCode::NotFound && error.suggestion.empty())
    error.suggestion = "Call file-system__list to see which files there are.";
  return error;
}

Result<Json> read(const Services& services, ToolContext& context, const JsonObject& input) {
  const std::size_t limit = GDN_TRY(read_limit(input));
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  const os::RootedPath path = GDN_TRY(file_path(workspace, input, os::Access::Read));
  Result<os::FileContent> content = os::read_file(path, limit);
  if (!content.ok()) return with_hint(std::move(content).error());
  JsonObject result{
      {"path", path.absolute}, {"size", content->size}, {"truncated", content->truncated}};
  result["content"] = file_text(std::move(*content), *services.redactor);
  return result;
}

Result<Json> write(const Services& services, ToolContext& context, const JsonObject& input) {
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  const os::RootedPath path = GDN_TRY(file_path(workspace, input, os::Access::ReadWrite));
  const bool append = flag_argument(input, "append").value_or(false);
  const std::uint64_t size =
      GDN_TRY(os::write_file(path, text_argument(input, "content").value_or(""),
                             append ? os::WriteMode::Append : os::WriteMode::Replace));
  return JsonObject{{"path", path.absolute}, {"size", size}, {"written", true}, {"append", append}};
}

Result<Json> mkdir(const Services& services, ToolContext& context, const JsonObject& input) {
  const os::Workspace workspace = GDN_TRY(services.workspace(context));
  const os::RootedPath path =
      GDN_TRY(workspace.resolve(text_argument(input, "path").value_or(""), os::Access::ReadWrite));
  const bool recursive = flag_argument(input, "recursive").value_or(true);
  GDN_TRY(os::make_folder(path, recursive ? os::Parents::Make : os::Parents::MustExist));
  return JsonObject{{"path", path.absolute}, {"created", true}, {"recursive", recursive}};
}

}  // namespace

Result<std::size_t> read_limit(const JsonObject& input) {
  const double asked =
      number_argument(input, "maxBytes").value_or(static_cast<double>(kDefaultReadBytes));
  if (!(asked >= 1)) return invalid_argument("maxBytes", "must be greater than 0");
  return static_cast<std::size_t>(std::min(asked, static_cast<double>(kMaxReadBytes)));
}

Result<os::RootedPath> file_path(const os::Workspace& workspace, const JsonObject& input,
                                 os::Access need) {
  const std::string_view path = text_argument(input, "path").value_or("");
  if (path.empty()) return invalid_argument("path", "must be a non-empty string");
  if (path.ends_with('/')) {
    return Error{.code = ErrorCode::PathInvalid,
                 .message = "'path' " + os::quoted_path(path) +
                            " ends in a slash, so it names a folder and not a file",
                 .suggestion = "Give the path of a file, without a slash at its end."};
  }
  return workspace.resolve(path, need);
}

Definition definition() {
  return {.name = "file-system",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "read", .handle = read},
                      {.name = "write", .handle = write},
                      {.name = "list", .handle = list},
                      {.name = "mkdir", .handle = mkdir}}};
}

}  // namespace goondan::builtin::file_system
