#include "cli/new_file.h"

#include <fstream>

#include "cli/terminal.h"

namespace goondan::cli {
namespace {

Error cannot_write(const std::filesystem::path& path, const std::string& reason) {
  return {.code = ErrorCode::Io,
          .message = "cannot write " + path.string() + ": " + reason,
          .suggestion = "Check the folder's permissions and free space."};
}

Result<void> write_file(const std::filesystem::path& path, const std::string& content) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) return cannot_write(path, failed.message());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  if (!out) return cannot_write(path, "the file could not be written");
  return {};
}

}  // namespace

Result<void> write_new_files(const std::filesystem::path& folder, const std::vector<NewFile>& files,
                             Answer force) {
  for (const NewFile& file : files) {
    std::error_code ignored;
    if (force == Answer::No && std::filesystem::exists(folder / file.path, ignored)) {
      return Error{.code = ErrorCode::ConfigExists,
                   .message = (folder / file.path).string() + " exists already",
                   .suggestion = "Choose another folder or name, or overwrite with --force."};
    }
  }
  for (const NewFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    GDN_TRY(write_file(path, file.content));
    print_line("created " + path.lexically_normal().string());
  }
  return {};
}

std::string filled_in(std::string_view text, std::string_view name) {
  constexpr std::string_view kMark = "@NAME@";
  std::string out;
  while (true) {
    const std::size_t at = text.find(kMark);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += name;
    text.remove_prefix(at + kMark.size());
  }
}

}  // namespace goondan::cli
