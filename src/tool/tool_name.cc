#include <goondan/tool.h>

namespace goondan {
namespace {

constexpr std::string_view kSeparator = "__";

Error invalid_half(std::string_view what, std::string_view value) {
  const std::string problem =
      value.empty() ? " name is empty" : " name '" + std::string(value) + "' contains '__'";
  return {.code = ErrorCode::ToolInvalidName,
          .message = std::string(what) + problem,
          .suggestion = "A tool's full name is <tool>__<export>; neither half may contain '__'."};
}

bool usable_half(std::string_view half) {
  return !half.empty() && half.find(kSeparator) == std::string_view::npos;
}

}  // namespace

std::optional<ToolName> ToolName::parse(std::string_view full_name) {
  const std::size_t at = full_name.find(kSeparator);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const std::string_view rest = full_name.substr(at + kSeparator.size());
  if (rest.empty()) return std::nullopt;
  return ToolName{.resource = std::string(full_name.substr(0, at)),
                  .export_name = std::string(rest)};
}

Result<std::string> ToolName::build(std::string_view resource, std::string_view export_name) {
  if (!usable_half(resource)) return invalid_half("tool", resource);
  if (resource.ends_with('_')) {
    // `a_` and `b` would make `a___b`, which reads as `a` and `_b`.
    return Error{.code = ErrorCode::ToolInvalidName,
                 .message = "tool name '" + std::string(resource) + "' ends in '_'",
                 .suggestion = "Drop the last '_': the name could not be told from its export's."};
  }
  if (!usable_half(export_name)) return invalid_half("export", export_name);
  return std::string(resource) + std::string(kSeparator) + std::string(export_name);
}

}  // namespace goondan
