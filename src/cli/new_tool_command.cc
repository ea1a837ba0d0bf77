#include "cli/bundle_choice.h"
#include "cli/commands.h"
#include "cli/embedded.h"
#include "cli/new_file.h"
#include "cli/terminal.h"
#include "host/native/program_paths.h"

namespace goondan::cli {
namespace {

constexpr std::size_t kMaxToolName = 57;  // with `__greet` it still fits a provider's 64

bool valid_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kMaxToolName &&
         std::all_of(name.begin(), name.end(), allowed) &&
         name.find("__") == std::string_view::npos && name.front() != '-' && name.front() != '_' &&
         name.back() != '_';
}

// One for all tools of the bundle; an author's own is left alone.
Result<void> add_compiler_options(const std::filesystem::path& bundle,
                                  std::vector<NewFile>& files) {
  constexpr const char* kName = "tsconfig.json";
  std::error_code unknown;
  if (std::filesystem::exists(bundle / kName, unknown)) return {};
  const std::filesystem::path host = GDN_TRY(script_host_module());
  const std::string types = (host.parent_path() / "types").string();
  files.push_back({kName, filled_in(embedded::kTsconfigJson, types)});
  return {};
}

Result<std::vector<NewFile>> files_for(const NewToolRequest& request) {
  const std::filesystem::path home = std::filesystem::path("tools") / request.name;
  if (request.language == ToolLanguage::Cpp) {
    return std::vector<NewFile>{{home / "tool.yaml", filled_in(embedded::kToolYaml, request.name)},
                                {home / (request.name + ".cc"), std::string(embedded::kToolCcIn)}};
  }
  std::vector<NewFile> files{{home / "tool.yaml", filled_in(embedded::kToolTsYaml, request.name)},
                             {home / "index.ts", std::string(embedded::kIndexTs)}};
  GDN_TRY(add_compiler_options(request.bundle, files));
  return files;
}

Result<void> create(const NewToolRequest& request) {
  if (!valid_name(request.name)) {
    return Error{.code = ErrorCode::Usage,
                 .message = "'" + printable(request.name) + "' cannot be the name of a tool",
                 .suggestion = "Use lower-case letters, digits, '-' and '_' (not '__'), at most " +
                               std::to_string(kMaxToolName) +
                               ", beginning with a letter or digit."};
  }
  const std::filesystem::path folder = request.bundle;
  if (!has_bundle(folder)) {
    return Error{.code = ErrorCode::ConfigFileNotFound,
                 .message = "there is no goondan.yaml in " + folder.string(),
                 .suggestion = "Make a bundle first: gdn init"};
  }
  const std::vector<NewFile> files = GDN_TRY(files_for(request));
  return write_new_files(folder, files, request.force);
}

}  // namespace

ExitCode run_new_tool(const NewToolRequest& request) {
  const Result<void> done = create(request);
  if (!done.ok()) {
    print_error(done.error());
    return exit_code_for(done.error().code);
  }
  print_line("");
  print_line("Try it:                      gdn call " + request.name + "__greet name=Mina");
  print_line("Offer it to an agent, under spec.tools in goondan.yaml:  - ref: Tool/" +
             request.name);
  return ExitCode::Ok;
}

}  // namespace goondan::cli
