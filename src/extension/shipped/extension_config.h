// Reads the `config` of a shipped extension: every key is known and of its type, or the agent does
// not start.
//
//   ExtensionConfig reader(site.name, config);
//   const std::int64_t most = reader.integer("maxMessages", 80, {1, 100'000});
//   GDN_TRY(reader.finish());
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>
#include <goondan/result.h>

namespace goondan::shipped {

struct IntegerRange {
  std::int64_t least;
  std::int64_t most;
};

// Borrows `config`. A key that is absent, null or wrong gives the default; `finish` tells the first
// thing that was wrong. Confined to one thread.
class ExtensionConfig {
 public:
  ExtensionConfig(std::string extension, const JsonObject& config)
      : extension_(std::move(extension)), config_(config) {}

  std::int64_t integer(std::string_view key, std::int64_t otherwise, IntegerRange range);
  // The same as a size; the range holds nothing negative.
  std::size_t size(std::string_view key, std::size_t otherwise, IntegerRange range);
  bool flag(std::string_view key, bool otherwise);
  std::string text(std::string_view key, std::string_view otherwise);
  // One of `choices`; its place in them.
  std::size_t choice(std::string_view key, std::span<const std::string_view> choices,
                     std::size_t otherwise);
  // A list of texts that are not empty; none twice.
  std::vector<std::string> texts(std::string_view key);
  // A list of objects.
  std::vector<JsonObject> objects(std::string_view key);

  // Something is wrong with the value of `key` that only the extension can see.
  void refuse(std::string_view key, std::string_view problem, std::string suggestion);

  // `E_EXT_INIT` for the first problem, or for a key that nobody asked for.
  Result<void> finish();

 private:
  const Json* find(std::string_view key);
  void expect(std::string_view key, std::string_view what, const Json& found);

  std::string extension_;
  const JsonObject& config_;
  std::vector<std::string_view> known_;
  std::optional<Error> problem_;
};

}  // namespace goondan::shipped
