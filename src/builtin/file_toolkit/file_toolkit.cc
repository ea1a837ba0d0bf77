#include "builtin/file_toolkit/file_toolkit.h"

#include "builtin/file_system/encoded_files.h"
#include "builtin/file_toolkit/embedded.h"

namespace goondan::builtin::file_toolkit {
namespace {

Result<Json> read_file(const Services& services, ToolContext& context, const JsonObject& input) {
  return file_system::read_encoded(GDN_TRY(services.workspace(context)), input);
}

Result<Json> write_file(const Services& services, ToolContext& context, const JsonObject& input) {
  return file_system::write_encoded(GDN_TRY(services.workspace(context)), input);
}

}  // namespace

Definition definition() {
  return {.name = "fileToolkit",
          .yaml = embedded::kToolYaml,
          .exports = {{.name = "file.read", .handle = read_file},
                      {.name = "file.write", .handle = write_file}}};
}

}  // namespace goondan::builtin::file_toolkit
