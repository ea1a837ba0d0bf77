// The encrypted store of grants and authorization sessions, one for all swarms of a state root.
//
// Everything about a record is sealed: its text, its name, its size up to 256 bytes. A file cannot
// be changed, swapped with another or replaced by an older one without being found: it is then
// moved aside, and the record counts as not there, so that its user is asked to authorize again.
// What this does not stop: code that runs as the same user (it can read the key), and whoever puts
// back an older copy of the whole folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "oauth/secret.h"
#include "oauth/store/record_lock.h"

namespace goondan::oauth {

enum class RecordKind : std::uint8_t { Grant = 1, Session = 2 };

// A grant's key is its subject, a session's its id (whose app may be empty).
struct RecordName {
  RecordKind kind = RecordKind::Grant;
  std::string app;
  std::string key;

  friend bool operator==(const RecordName&, const RecordName&) = default;
  friend auto operator<=>(const RecordName&, const RecordName&) = default;
};

struct Record {
  Secret json;
  std::uint64_t generation = 0;  // grows with each change of the record; never 0
};

// Where the key ring is. A file that is not there is made with the store's folder, never later.
struct KeySource {
  std::filesystem::path file;
};

// `$GOONDAN_OAUTH_KEY_FILE`, else `goondan-oauth-key` in systemd's `$CREDENTIALS_DIRECTORY` if it
// is there, else `key` in `folder`.
KeySource default_key_source(const std::filesystem::path& folder);

struct StoreHealth {
  std::size_t grants = 0;    // that can be read
  std::size_t sessions = 0;  // that can be read
  // Files that were found changed, swapped, old or unknown, as paths in the store's folder.
  std::vector<std::filesystem::path> quarantined;
};

class FileCalls;

// What a store gets from outside.
struct StoreHooks {
  // Told what was moved aside and why, in a line without a secret. May be called in any thread.
  std::function<void(LogLevel, std::string_view)> log = {};
  std::shared_ptr<FileCalls> files = {};  // none: the system's
};

// Thread-safe; many processes may have the same folder open.
class Store {
 public:
  // `folder` is `<state root>/oauth`; it is made if need be, with a new key if there is none.
  // `E_STORE_KEY`: the key is missing, not the right one, or can be read by others.
  static Result<std::unique_ptr<Store>> open(std::filesystem::path folder, KeySource key,
                                             StoreHooks hooks = {});
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  // None if there is no such record, or none that can be trusted.
  [[nodiscard]] Result<std::optional<Record>> get(const RecordName& name) const;
  // Returns the new generation. `expected` is the generation that was read, 0 for none:
  // `E_STORE_CONFLICT` if another has written meanwhile. After any error the old record is there.
  Result<std::uint64_t> put(const RecordName& name, const Secret& json, std::uint64_t expected);
  // Nothing to remove is no error.
  Result<void> remove(const RecordName& name);
  [[nodiscard]] Result<std::vector<RecordName>> list(RecordKind kind) const;

  // Waits until no other thread or process has the lock of `name`. `E_STORE_BUSY` at the deadline,
  // `E_TOOL_CANCELLED` on a stop. `get` and `put` need no lock; this one is for read, refresh,
  // write.
  Result<RecordLock> lock(const RecordName& name, Deadline deadline, const std::stop_token& stop);

  // A new key, all records sealed with it, the old keys gone. Killed at any moment, either the old
  // or the new key is in use. Returns the number of records.
  Result<std::size_t> rotate_key();
  // Reads every record and moves aside what cannot be trusted.
  Result<StoreHealth> check();

 private:
  class State;
  explicit Store(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace goondan::oauth
