// What a `Database` owns; for its own sources only.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <goondan/result.h>
#include <goondan/tool_context.h>

#include "store/database.h"

namespace goondan::store {

struct SqlHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view sql) const { return std::hash<std::string_view>{}(sql); }
};

struct Database::State {
  std::filesystem::path file = {};
  std::string name = {};  // of the file, without its folder
  CommitHook after_commit = {};
  sqlite3* connection = nullptr;
  // Null while it is in use: a second user of the same text gets one of their own.
  std::unordered_map<std::string, sqlite3_stmt*, SqlHash, std::equal_to<>> kept = {};

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  // Opening, in this order.
  Result<void> connect(const OpenOptions& options);
  enum class Content { Empty, Ours };
  Result<Content> examine(int version);
  Result<Content> examine_now(int version);
  Result<void> prepare_to_write(Content content, Deadline deadline);
  Result<void> create(std::string_view schema, int version);

  Result<sqlite3_stmt*> take(std::string_view sql);
  void give_back(sqlite3_stmt* statement);
  Result<void> run(const char* sql);
  Result<std::int64_t> number(const char* sql);  // the one value that a query yields
  [[nodiscard]] bool in_transaction() const;
  void committed() const;
  [[nodiscard]] Error error(int code) const;
};

}  // namespace goondan::store
