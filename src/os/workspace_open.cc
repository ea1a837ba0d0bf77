#include "os/path_text.h"
#include "os/workspace.h"

namespace goondan::os {
namespace {

using Place = WorkspacePlace;

Result<void> check_folder(std::string_view what, std::string_view path) {
  std::string message(what);
  message.append(" ").append(quoted_path(path));
  if (!path.starts_with('/')) {
    return Error{.code = ErrorCode::Config,
                 .message = message.append(" is not absolute"),
                 .suggestion = "Give the whole path of an existing folder."};
  }
  if (path.find('\0') != std::string_view::npos)
    return Error{.code = ErrorCode::PathInvalid, .message = message.append(" holds a NUL byte")};
  return {};
}

// What paths in the folder begin with. `..` after a link means one thing as text and another on the
// disk, so of such a spelling only the real path counts.
std::vector<std::string> names_of(std::string_view given, const std::string& real) {
  std::string spelled(given);
  spelled += '/';
  if (spelled.find("/../") != std::string::npos) return {real};
  return {normal_path("/", given), real};
}

Result<Place> open_place(std::string_view what, const FolderGrant& grant, Resolution resolution) {
  GDN_TRY(check_folder(what, grant.path));
  Root opened = GDN_TRY(Root::open(grant.path, grant.access, resolution));
  auto root = std::make_shared<const Root>(std::move(opened));
  return Place{.names = names_of(grant.path, root->path()),
               .real = root->path(),
               .access = grant.access,
               .root = root,
               .id = root->id()};
}

// The same folder granted twice is one place with the wider access.
void add_grant(std::vector<Place>& grants, Place grant) {
  const auto same = std::ranges::find(grants, grant.real, &Place::real);
  if (same == grants.end()) {
    grants.push_back(std::move(grant));
    return;
  }
  same->names.push_back(grant.names.front());
  if (grant.access == Access::ReadWrite) {
    same->access = grant.access;
    same->root = std::move(grant.root);
  }
}

// A guarded folder that cannot be opened is guarded by its name alone.
Result<Place> guarded_place(const std::string& path, Resolution resolution) {
  GDN_TRY(check_folder("the guarded folder", path));
  const Result<Root> root = Root::open(path, Access::Read, resolution);
  Place place;
  place.names = {normal_path("/", path)};
  if (root.ok()) {
    place.names = names_of(path, root->path());
    place.id = root->id();
  }
  place.real = place.names.back();
  return place;
}

// Whether a grant to write, as deep as `guarded` or deeper, holds for `folder`.
bool granted_within(const std::vector<Place>& grants, const Place& guarded,
                    const std::string& folder) {
  return std::ranges::any_of(grants, [&](const Place& grant) {
    return grant.access == Access::ReadWrite && lies_in(grant.real, guarded.real) &&
           lies_in(folder, grant.real);
  });
}

// Grants that name the workdir only add to what it is called; it can be written to anyway.
void merge_with_workdir(Place& workdir, std::vector<Place>& grants) {
  for (const Place& grant : grants) {
    if (grant.real == workdir.real) workdir.names.push_back(grant.names.front());
  }
  std::erase_if(grants, [&](const Place& grant) { return grant.real == workdir.real; });
}

// Grants decide before guards, guards before the workdir, should one folder be several of them.
std::shared_ptr<const WriteGuard> make_guard(const std::vector<Place>& places) {
  if (places.size() == 1 && places.front().access == Access::ReadWrite) return nullptr;
  std::vector<WriteGuard::Mark> marks;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (place->id) marks.push_back({.id = *place->id, .access = place->access});
  }
  return std::make_shared<const WriteGuard>(std::move(marks));
}

}  // namespace

Result<Workspace> Workspace::open(const WorkspaceOptions& options) {
  Place workdir = GDN_TRY(open_place("the working folder",
                                     {.path = options.workdir, .access = Access::ReadWrite},
                                     options.resolution));
  std::vector<Place> grants;
  for (const FolderGrant& grant : options.grants) {
    Place place = GDN_TRY(open_place("the granted folder", grant, options.resolution));
    add_grant(grants, std::move(place));
  }

  std::vector<Place> guarded;
  for (const std::string& path : options.guarded) {
    Place place = GDN_TRY(guarded_place(path, options.resolution));
    if (granted_within(grants, place, place.real)) continue;
    if (lies_in(workdir.real, place.real) && !granted_within(grants, place, workdir.real))
      workdir.access = Access::Read;
    guarded.push_back(std::move(place));
  }
  merge_with_workdir(workdir, grants);

  Workspace workspace;
  workspace.workdir_ = workdir.names.front();
  workspace.places_.push_back(std::move(workdir));
  std::ranges::move(guarded, std::back_inserter(workspace.places_));
  std::ranges::move(grants, std::back_inserter(workspace.places_));
  workspace.guard_ = make_guard(workspace.places_);
  return workspace;
}

}  // namespace goondan::os
