#include "process_state.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace goondan::soak {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

std::size_t status_bytes(std::string_view key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(key)) return std::stoul(line.substr(key.size())) * 1024;
  }
  return 0;
}

// The parent's number stands behind the name, which may hold anything but ends with the last ')'.
bool is_child(const fs::path& process, long parent) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t after_name = text.rfind(')');
  if (after_name == std::string::npos) return false;
  std::istringstream fields(text.substr(after_name + 1));
  std::string state;
  long ppid = 0;
  return fields >> state >> ppid && ppid == parent;
}

}  // namespace

std::string ProcessState::text() const {
  return std::to_string(descriptors) + " descriptors, " + std::to_string(threads) + " threads, " +
         std::to_string(children) + " children";
}

ProcessState process_state() {
  ProcessState state{.descriptors = entries("/proc/self/fd"),
                     .threads = entries("/proc/self/task")};
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const bool process =
        entry.path().filename().string().find_first_not_of("0123456789") == std::string::npos;
    if (process && is_child(entry.path(), ::getpid())) ++state.children;
  }
  return state;
}

std::size_t resident_bytes() {
  return status_bytes("VmRSS:");
}

std::size_t peak_bytes() {
  return status_bytes("VmHWM:");
}

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

void adopt_orphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

}  // namespace goondan::soak
