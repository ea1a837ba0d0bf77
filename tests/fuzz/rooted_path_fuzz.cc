// Input: a path. A small tree with links inward, outward and in circles is made once. Whatever the
// path says, what opens lies beneath the root, both ways of resolving agree on whether it opens,
// and no verb changes or shows anything outside.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>

#include "os/open_beneath.h"
#include "os/rooted_files.h"
#include "os/workspace.h"

namespace {

namespace fs = std::filesystem;
namespace os = goondan::os;

using Id = std::pair<dev_t, ino_t>;

constexpr std::size_t kMaxInput = 5000;
constexpr std::string_view kSecret = "what must not be read";

void require(bool holds) {
  if (!holds) std::abort();
}

Id id_of(const struct stat& status) {
  return {status.st_dev, status.st_ino};
}

// A folder with `root`, in which paths are resolved, and `out`, which they must not reach.
struct Tree {
  Tree() {
    std::string name = (fs::temp_directory_path() / "rooted_path_XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr);
    folder = name;
    fs::create_directories(folder / "root/a/b/c");
    fs::create_directories(folder / "root/w");
    fs::create_directories(folder / "root-evil");
    fs::create_directories(folder / "out/deep");
    for (const char* file : {"root/f", "root/a/f", "root/a/b/c/f"})
      std::ofstream(folder / file) << "inside";
    for (const char* file : {"out/f", "out/deep/f", "root-evil/f"})
      std::ofstream(folder / file) << kSecret;
    link("in", "a/b");
    link("a/up", "../a/b/c");
    link("a/b/far", "../../a/up/f");
    link("dot", ".");
    link("out", "../out");
    link("outf", "../out/f");
    link("abs", (folder / "out").string());
    link("slash", "/");
    link("proc", "/proc/self/cwd");
    link("loop", "loop");
    link("ping", "a/pong");
    link("a/pong", "../ping");
    link("a/b/c/sly", "../../../a/../../out");
    link("gone", "a/none");
    link("w/door", "../../out");
    for (const auto& entry : fs::recursive_directory_iterator(folder / "root"))
      remember(entry.path());
    remember(folder / "root");
    names_outside = outside();
  }

  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() { fs::remove_all(folder); }

  void link(const std::string& name, const std::string& target) const {
    fs::create_symlink(target, folder / "root" / name);
  }

  void remember(const fs::path& path) {
    struct stat status {};
    require(::lstat(path.c_str(), &status) == 0);
    inside.insert(id_of(status));
  }

  // Everything that is not in the root, as text.
  [[nodiscard]] std::string outside() const {
    std::set<std::string> names;
    for (const char* part : {"out", "root-evil"}) {
      for (const auto& entry : fs::recursive_directory_iterator(folder / part)) {
        std::string line = entry.path().string();
        if (entry.is_regular_file()) line += " " + std::to_string(entry.file_size());
        names.insert(std::move(line));
      }
    }
    for (const auto& entry : fs::directory_iterator(folder))
      names.insert(entry.path().string());
    std::string text;
    for (const std::string& name : names)
      text += name + "\n";
    return text;
  }

  fs::path folder;
  std::set<Id> inside;
  std::string names_outside;
};

const Tree& tree() {
  static const Tree made;
  return made;
}

const os::Workspace& workspace(os::Resolution resolution) {
  static const os::Workspace kernel =
      os::Workspace::open({.workdir = tree().folder / "root"}).value();
  static const os::Workspace walk =
      os::Workspace::open({.workdir = tree().folder / "root", .resolution = os::Resolution::Walk})
          .value();
  return resolution == os::Resolution::Kernel ? kernel : walk;
}

// Whether `path`, dots and all, opens beneath the root; where it leads is checked.
bool opens(const std::string& path, int flags, os::Resolution resolution) {
  static const os::UniqueFd root(
      ::open((tree().folder / "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const os::UniqueFd opened = os::open_beneath(root.get(), path, flags, 0, resolution);
  if (!opened) return false;
  struct stat status {};
  require(::fstat(opened.get(), &status) == 0);
  require(tree().inside.contains(id_of(status)));
  return true;
}

void check_open(const std::string& path) {
  // The walk keeps a descriptor for each folder it is in, so it gives up where the kernel does not.
  if (path.size() > os::kMaxWalkDepth) return;
  for (const int flags : {O_RDONLY, O_PATH, O_PATH | O_NOFOLLOW, O_RDONLY | O_DIRECTORY})
    require(opens(path, flags, os::Resolution::Kernel) == opens(path, flags, os::Resolution::Walk));
}

void check_verbs(std::string_view path, os::Resolution resolution) {
  const auto rooted = workspace(resolution).resolve(path, os::Access::Read);
  if (!rooted.ok()) return;
  const auto content = os::read_file(*rooted, 1000);
  require(!content.ok() || content->bytes == "inside" || content->bytes == "new");
  const auto listing = os::list_folder(*rooted, {.depth = os::ListOptions::Depth::All});
  require(!listing.ok() || listing->entries.size() < 100);
}

// Writing changes the tree, so only below `w`, which is emptied again.
void check_writes(std::string_view path, os::Resolution resolution) {
  const auto rooted =
      workspace(resolution).resolve("w/" + std::string(path), os::Access::ReadWrite);
  if (!rooted.ok() || !rooted->relative.starts_with("w/")) return;
  (void)os::write_file(*rooted, "new", os::WriteMode::Replace).ok();
  (void)os::write_file(*rooted, "", os::WriteMode::Append).ok();
  (void)os::make_folder(*rooted, os::Parents::Make).ok();
  for (const auto& entry : fs::directory_iterator(tree().folder / "root/w")) {
    if (entry.path().filename() != "door") fs::remove_all(entry.path());
  }
  require(fs::is_symlink(tree().folder / "root/w/door"));
  require(tree().outside() == tree().names_outside);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMaxInput) return 0;
  const std::string_view path(reinterpret_cast<const char*>(data), size);
  if (path.find('\0') == std::string_view::npos) check_open(std::string(path));
  for (const os::Resolution resolution : {os::Resolution::Kernel, os::Resolution::Walk}) {
    check_verbs(path, resolution);
    check_writes(path, resolution);
  }
  return 0;
}
