#include "oauth/store/crash_disk.h"

#include <algorithm>
#include <fcntl.h>
#include <random>
#include <stdio.h>

namespace goondan::oauth {
namespace {

constexpr int kFolderNumber = -1;
constexpr std::size_t kAllSubsetsUpTo = 6;
constexpr int kRandomSubsets = 48;

std::string parent_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

using Names = std::map<std::string, int>;  // path to file

// One change of names that happens as a whole: what each path leads to afterwards, 0 for nothing.
using Change = std::vector<std::pair<std::string, int>>;

struct Content {
  std::string written;
  std::string durable;
};

class Disk {
 public:
  void apply(const DiskStep& step) {
    switch (step.kind) {
      case DiskStep::Kind::Write:
        files_[step.file].written += step.bytes;
        return;
      case DiskStep::Kind::SyncFile:
        files_[step.file].durable = files_[step.file].written;
        return;
      case DiskStep::Kind::SyncFolder:
        sync_folder(step.at);
        return;
      case DiskStep::Kind::Make:
        files_[step.file] = {};
        return change({{step.at, step.file}});
      case DiskStep::Kind::MakeFolder:
        folders_.insert(step.at);
        return change({{step.at, kFolderNumber}});
      case DiskStep::Kind::Unlink:
        return change({{step.at, 0}});
      case DiskStep::Kind::Rename:
        return change({{step.other, now_[step.at]}, {step.at, 0}});
      case DiskStep::Kind::Swap:
        return change({{step.other, now_[step.at]}, {step.at, now_[step.other]}});
    }
  }

  void add_states(std::set<DiskState>& states) const {
    std::mt19937 random(1);
    const std::size_t count = pending_.size();
    const bool all = count <= kAllSubsetsUpTo;
    const std::size_t subsets = all ? std::size_t{1} << count : kRandomSubsets;
    for (std::size_t i = 0; i < subsets; ++i) {
      std::vector<bool> chosen(count);
      for (std::size_t bit = 0; bit < count; ++bit)
        chosen[bit] = all ? (i >> bit & 1) != 0 : i <= count ? bit < i : random() % 2 == 0;
      for (const Unsynced unsynced : {Unsynced::Lost, Unsynced::Half, Unsynced::Kept})
        states.insert(state(chosen, unsynced));
    }
  }

 private:
  static void set(Names& names, const Change& change) {
    for (const auto& [path, file] : change) {
      if (file == 0) {
        names.erase(path);
      } else {
        names[path] = file;
      }
    }
  }

  void change(Change change) {
    set(now_, change);
    pending_.push_back(std::move(change));
  }

  void sync_folder(const std::string& folder) {
    std::vector<Change> left;
    for (Change& each : pending_) {
      if (parent_of(each.front().first) == folder) {
        set(durable_, each);
      } else {
        left.push_back(std::move(each));
      }
    }
    pending_ = std::move(left);
  }

  [[nodiscard]] DiskState state(const std::vector<bool>& chosen, Unsynced unsynced) const {
    Names names = durable_;
    for (std::size_t i = 0; i < pending_.size(); ++i)
      if (chosen[i]) set(names, pending_[i]);
    DiskState state;
    for (const auto& [path, file] : names) {
      // What is in a folder that is not there is not there either; parents sort before children.
      const std::string above = parent_of(path);
      if (folders_.contains(above) && !state.contains(above)) continue;
      state[path] =
          file == kFolderNumber ? std::nullopt : std::optional(content(files_.at(file), unsynced));
    }
    return state;
  }

  static std::string content(const Content& file, Unsynced unsynced) {
    if (file.written == file.durable || unsynced == Unsynced::Kept) return file.written;
    return unsynced == Unsynced::Lost ? file.durable
                                      : file.written.substr(0, file.written.size() / 2);
  }

  std::map<int, Content> files_;
  std::set<std::string> folders_;  // that were ever made
  Names now_;
  Names durable_;
  std::vector<Change> pending_;
};

}  // namespace

std::string RecordingCalls::path_of(int folder, const char* name) const {
  const auto known = opened_.find(folder);
  return known == opened_.end() ? name : known->second.path + "/" + name;
}

int RecordingCalls::open_at(int folder, const char* name, int flags, mode_t mode) {
  const int fd = FileCalls::open_at(folder, name, flags, mode);
  if (fd < 0) return fd;
  Opened opened{.path = path_of(folder, name)};
  if ((flags & O_CREAT) != 0) {
    opened.file = ++files_;
    steps.push_back({.kind = DiskStep::Kind::Make, .at = opened.path, .file = opened.file});
  }
  opened_[fd] = opened;
  return fd;
}

ssize_t RecordingCalls::write(int file, const char* bytes, std::size_t size) {
  const ssize_t put = FileCalls::write(file, bytes, size);
  if (put > 0)
    steps.push_back({.kind = DiskStep::Kind::Write,
                     .file = opened_[file].file,
                     .bytes = std::string(bytes, static_cast<std::size_t>(put))});
  return put;
}

int RecordingCalls::sync(int file) {
  const Opened& opened = opened_[file];
  const bool is_folder = opened.file == 0;
  steps.push_back({.kind = is_folder ? DiskStep::Kind::SyncFolder : DiskStep::Kind::SyncFile,
                   .at = opened.path,
                   .file = opened.file});
  return 0;
}

int RecordingCalls::close(int file) {
  opened_.erase(file);
  return FileCalls::close(file);
}

int RecordingCalls::rename_at(int from_folder, const char* from, int to_folder, const char* to,
                              unsigned flags) {
  const int done = FileCalls::rename_at(from_folder, from, to_folder, to, flags);
  const bool swap = (flags & RENAME_EXCHANGE) != 0;
  if (done == 0)
    steps.push_back({.kind = swap ? DiskStep::Kind::Swap : DiskStep::Kind::Rename,
                     .at = path_of(from_folder, from),
                     .other = path_of(to_folder, to)});
  return done;
}

int RecordingCalls::unlink_at(int folder, const char* name, int flags) {
  const int done = FileCalls::unlink_at(folder, name, flags);
  if (done == 0) steps.push_back({.kind = DiskStep::Kind::Unlink, .at = path_of(folder, name)});
  return done;
}

int RecordingCalls::make_folder_at(int folder, const char* name, mode_t mode) {
  const int done = FileCalls::make_folder_at(folder, name, mode);
  if (done == 0) steps.push_back({.kind = DiskStep::Kind::MakeFolder, .at = path_of(folder, name)});
  return done;
}

std::set<DiskState> states_after(const std::vector<DiskStep>& steps, std::size_t count) {
  Disk disk;
  for (std::size_t i = 0; i < count; ++i)
    disk.apply(steps[i]);
  std::set<DiskState> states;
  disk.add_states(states);
  return states;
}

}  // namespace goondan::oauth
