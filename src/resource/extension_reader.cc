#include "resource/entry.h"
#include "resource/mcp_reader.h"
#include "resource/readers.h"

namespace goondan {

ExtensionResource read_extension(ResourceMeta meta, const Place& spec, ReadContext& context) {
  ExtensionResource extension{.meta = std::move(meta)};
  MappingReader reader(spec, context.diagnostics);
  const std::optional<Place> mcp = reader.find("mcp");
  const std::optional<Place> entry =
      mcp ? reader.find("entry")
          : reader.require("entry", "Give the path of the extension's code.");
  if (entry) {
    extension.entry = check_entry(*entry, context.files, context.diagnostics).value_or("");
    check_entry_kind(*entry, extension.entry, context.diagnostics);
  }
  if (mcp) extension.mcp_servers = read_mcp_servers(*mcp, context);
  extension.config = reader.object("config");
  extension.isolation = read_isolation(reader, context);
  if (extension.meta.dialect == Dialect::V1Alpha1) reader.allow({"runtime"});
  reader.finish(unknown_fields(extension.meta.dialect));
  return extension;
}

}  // namespace goondan
