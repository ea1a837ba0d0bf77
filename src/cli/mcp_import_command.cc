#include <filesystem>
#include <fstream>
#include <set>

#include "cli/bundle_choice.h"
#include "cli/call_parts.h"
#include "cli/interrupt.h"
#include "cli/mcp_commands.h"
#include "cli/mcp_import.h"
#include "cli/new_file.h"
#include "cli/state_commands.h"
#include "cli/terminal.h"
#include "resource/mcp_reader.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFile = std::size_t{4} << 20;

Result<std::string> read_input(const std::string& file, const Interrupt& interrupt) {
  if (file == "-") return read_standard_input(interrupt);
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file, failed);
  std::ifstream in(file, std::ios::binary);
  if (failed || !in) {
    return Error{.code = ErrorCode::Usage,
                 .message = "the file '" + file + "' cannot be read",
                 .suggestion = "Give the file in which the other program keeps its MCP servers."};
  }
  if (size > kMaxFile) {
    return Error{.code = ErrorCode::Limit,
                 .message = "the file '" + file + "' has more than 4 MiB",
                 .suggestion = "Give the file in which the other program keeps its MCP servers."};
  }
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// The names in the bundle that a server must not have.
std::set<std::string> taken_names(const Bundle& bundle) {
  std::set<std::string> taken;
  for (const ToolResource& tool : bundle.tools())
    taken.insert(mcp_name_look(tool.meta.name));
  for (const ExtensionResource& extension : bundle.extensions()) {
    for (const McpServerResource& server : extension.mcp_servers)
      taken.insert(mcp_name_look(server.name));
  }
  return taken;
}

// All of it or nothing.
Result<void> replace_file(const fs::path& path, const std::string& content) {
  fs::path beside = path;
  beside += ".new";
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  std::error_code failed;
  if (out) {
    fs::permissions(beside, fs::status(path, failed).permissions(), failed);
    fs::rename(beside, path, failed);
    if (!failed) return {};
  }
  fs::remove(beside, failed);
  return Error{.code = ErrorCode::Io,
               .message = "cannot write " + path.string(),
               .suggestion = "Check the file's permissions and the free space."};
}

// Adds the document to the end of the main file; puts everything back if the bundle is not good
// with it.
Result<void> append_to_bundle(const fs::path& root, const std::string& document) {
  std::error_code ignored;
  const bool usual = fs::exists(root / "goondan.yaml", ignored);
  const fs::path file = fs::canonical(root / (usual ? "goondan.yaml" : "goondan.yml"), ignored);
  std::ifstream in(file, std::ios::binary);
  std::string before((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::string end = before.empty() || before.ends_with('\n') ? "" : "\n";
  GDN_TRY(replace_file(file, before + end + "---\n" + document));
  const Result<Bundle> after = Bundle::load(root);
  if (after.ok()) return {};
  GDN_TRY(replace_file(file, before));
  return after.error();
}

Result<void> put(const McpImportRequest& request, const std::optional<Bundle>& bundle,
                 const std::string& document) {
  if (request.output) {
    return write_new_files(".", {{*request.output, document}}, Answer::No);
  }
  if (!bundle) {
    print(document);
    return {};
  }
  GDN_TRY(append_to_bundle(bundle->root(), document));
  print_line("added Extension/" + request.name +
             " to the bundle; agents use it with `extensions: "
             "[ Extension/" +
             request.name + " ]`");
  return {};
}

Result<ExitCode> import(const McpImportRequest& request, const Interrupt& interrupt) {
  std::optional<Bundle> bundle;
  if (request.bundle) bundle = GDN_TRY(choose_bundle(request.bundle));
  if (bundle && bundle->find_extension(request.name) != nullptr) {
    return Error{.code = ErrorCode::ConfigExists,
                 .message = "the bundle already has Extension/" + request.name,
                 .suggestion = "Choose another name with --name."};
  }
  const std::string text = GDN_TRY(read_input(request.file, interrupt));
  Result<Json> document = parse_tolerant_json(text);
  if (!document.ok()) {
    document.error().message = "'" + request.file + "': " + document.error().message;
    document.error().suggestion = "It should be JSON; comments and commas at the end are fine.";
    return document.error();
  }
  const McpImport found = GDN_TRY(
      import_mcp_servers(*document, bundle ? taken_names(*bundle) : std::set<std::string>{}));
  for (const std::string& note : found.notes)
    print_error_line("note: " + printable(note));
  if (found.servers.empty()) {
    return Error{.code = ErrorCode::NotFound,
                 .message = "no server could be taken over from '" + request.file + "'",
                 .suggestion = "The notes above say why."};
  }
  GDN_TRY(put(request, bundle, mcp_extension_yaml(request.name, found.servers)));
  return ExitCode::Ok;
}

}  // namespace

ExitCode run_mcp_import(const McpImportRequest& request) {
  const Interrupt interrupt;
  const ExitCode code = finish_command(import(request, interrupt));
  return interrupt.requested() ? ExitCode::Interrupted : code;
}

}  // namespace goondan::cli
