// libgit2, opened when the first changeset is: most runs of the program make none, and it need not
// be installed for them.
#pragma once

#include <git2.h>
#include <git2/sys/path.h>
#include <memory>

#include <goondan/result.h>

// The functions we use.
#define GDN_GIT_FUNCTIONS(X)          \
  X(git_blob_create_from_buffer)      \
  X(git_blob_free)                    \
  X(git_blob_lookup)                  \
  X(git_blob_rawcontent)              \
  X(git_blob_rawsize)                 \
  X(git_buf_dispose)                  \
  X(git_commit_author)                \
  X(git_commit_create)                \
  X(git_commit_free)                  \
  X(git_commit_id)                    \
  X(git_commit_lookup)                \
  X(git_commit_message)               \
  X(git_commit_parent)                \
  X(git_commit_parentcount)           \
  X(git_commit_summary)               \
  X(git_commit_time)                  \
  X(git_commit_tree)                  \
  X(git_diff_free)                    \
  X(git_diff_options_init)            \
  X(git_diff_to_buf)                  \
  X(git_diff_tree_to_tree)            \
  X(git_error_last)                   \
  X(git_ignore_path_is_ignored)       \
  X(git_index_add)                    \
  X(git_index_conflict_iterator_free) \
  X(git_index_conflict_iterator_new)  \
  X(git_index_conflict_next)          \
  X(git_index_free)                   \
  X(git_index_get_bypath)             \
  X(git_index_has_conflicts)          \
  X(git_index_new)                    \
  X(git_index_open)                   \
  X(git_index_read_tree)              \
  X(git_index_remove)                 \
  X(git_index_write)                  \
  X(git_index_write_tree_to)          \
  X(git_libgit2_init)                 \
  X(git_libgit2_opts)                 \
  X(git_merge_options_init)           \
  X(git_merge_trees)                  \
  X(git_object_free)                  \
  X(git_object_peel)                  \
  X(git_odb_free)                     \
  X(git_odb_hash)                     \
  X(git_odb_hashfile)                 \
  X(git_odb_read_header)              \
  X(git_oid_cmp)                      \
  X(git_oid_fromstr)                  \
  X(git_oid_tostr)                    \
  X(git_path_is_gitfile)              \
  X(git_reference_free)               \
  X(git_reference_lookup)             \
  X(git_reference_symbolic_target)    \
  X(git_reference_type)               \
  X(git_repository_commondir)         \
  X(git_repository_free)              \
  X(git_repository_is_bare)           \
  X(git_repository_odb)               \
  X(git_repository_open)              \
  X(git_repository_open_ext)          \
  X(git_repository_path)              \
  X(git_repository_set_workdir)       \
  X(git_repository_state)             \
  X(git_repository_workdir)           \
  X(git_reference_name_to_id)         \
  X(git_revparse_single)              \
  X(git_signature_default)            \
  X(git_signature_free)               \
  X(git_signature_now)                \
  X(git_tree_entry_bypath)            \
  X(git_tree_entry_filemode)          \
  X(git_tree_entry_free)              \
  X(git_tree_entry_id)                \
  X(git_tree_entry_name)              \
  X(git_tree_entry_type)              \
  X(git_tree_free)                    \
  X(git_tree_id)                      \
  X(git_tree_lookup)                  \
  X(git_tree_walk)

namespace goondan::changeset {

// Pointers to libgit2's functions under their own names. Immutable; stays loaded for the life of
// the process.
struct GitLibrary {
  // Fails with `E_HOST_UNAVAILABLE` if `name` is not installed.
  static Result<GitLibrary> load(const char* name);

  // The one library, loaded at the first call. Thread-safe.
  static Result<const GitLibrary*> shared();

// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration takes none
#define GDN_GIT_FUNCTION(name) decltype(&::name) name = nullptr;
  // NOLINTBEGIN(readability-identifier-naming): libgit2's names
  GDN_GIT_FUNCTIONS(GDN_GIT_FUNCTION)
  // NOLINTEND(readability-identifier-naming)
#undef GDN_GIT_FUNCTION
};

// What libgit2 made, and the function that frees it.
template <class T>
using GitPointer = std::unique_ptr<T, void (*)(T*)>;

// The last error of libgit2 in this thread: "cannot <what>: <why>".
Error git_error_of(const GitLibrary& git, std::string_view what);

}  // namespace goondan::changeset
