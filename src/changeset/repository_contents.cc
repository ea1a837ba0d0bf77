// The contents of files, as the repository keeps them.
#include "changeset/repository.h"

namespace goondan::changeset {

Result<std::string> Repository::content(const git_oid& id) const {
  git_blob* found = nullptr;
  if (git_->git_blob_lookup(&found, get(), &id) != 0)
    return git_error_of(*git_, "read the content " + hex(id));
  const GitPointer<git_blob> held(found, git_->git_blob_free);
  return std::string(static_cast<const char*>(git_->git_blob_rawcontent(found)),
                     static_cast<std::size_t>(git_->git_blob_rawsize(found)));
}

Result<std::size_t> Repository::content_size(const git_oid& id) const {
  git_odb* opened = nullptr;
  if (git_->git_repository_odb(&opened, get()) != 0)
    return git_error_of(*git_, "read the Git repository");
  const GitPointer<git_odb> objects(opened, git_->git_odb_free);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (git_->git_odb_read_header(&size, &type, opened, &id) != 0)
    return git_error_of(*git_, "read the content " + hex(id));
  return size;
}

Result<git_oid> Repository::write_blob(std::string_view bytes) const {
  git_oid id{};
  if (git_->git_blob_create_from_buffer(&id, get(), bytes.data(), bytes.size()) != 0)
    return git_error_of(*git_, "write to the Git repository");
  return id;
}

Result<git_oid> Repository::hash(std::string_view bytes) const {
  git_oid id{};
  if (git_->git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) != 0)
    return git_error_of(*git_, "hash a file");
  return id;
}

}  // namespace goondan::changeset
