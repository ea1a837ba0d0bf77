// What the tests of native extensions share: a peer with the plugin `extension`, and a runtime that
// answers and remembers.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/resources.h>

#include "host/native/native_extension.h"
#include "host/native/plugin_fixture.h"

namespace goondan::test {

// Remembers what comes outside of calls. Thread-safe.
class RecordingListener final : public PeerListener {
 public:
  void on_notify(const std::string& method, const Json& params) override;
  Result<Json> on_request(const std::string& method, const Json& params) override;

  // Waits until something that begins with `beginning` was said, e.g. "events.emit"; all of it.
  std::string await(std::string_view beginning);

 private:
  void add(const std::string& method, const Json& params);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> said_;
};

// One call and what was said in it, e.g. `log {"level":"info",...}`. Thread-compatible.
struct Conversation {
  // What `next` gives; what other requests are answered with.
  Json outcome = JsonObject{{"status", "ok"}};
  std::function<Result<Json>(const std::string& method, const Json& params)> on_request = {};
  std::stop_token stop = {};
  Deadline deadline = soon();

  std::vector<std::string> said = {};

  Result<Json> run(Peer& peer, std::string_view method, Json params);
};

// An extension in a bundle of its own.
class LoadedExtension {
 public:
  // Sets where the worker's program is, for as long as it lives.
  explicit LoadedExtension(Isolation isolation, std::string_view plugin = "extension");
  ~LoadedExtension();
  LoadedExtension(const LoadedExtension&) = delete;
  LoadedExtension& operator=(const LoadedExtension&) = delete;

  Result<void> load();
  // Also after the worker has been started again.
  Result<void> set_up(JsonObject config, Json state = nullptr);

  Peer& peer() { return *peer_; }
  RecordingListener& listener() { return *listener_; }
  // What the last `register` said.
  [[nodiscard]] const std::vector<std::string>& said() const { return said_; }

  Result<Json> layer(int number, JsonObject context, Conversation& conversation);
  Result<Json> tool(std::int64_t number, JsonObject input, Conversation& conversation);

 private:
  TemporaryFolder folder_;
  ExtensionResource resource_;
  std::shared_ptr<Peer> peer_;
  std::shared_ptr<RecordingListener> listener_ = std::make_shared<RecordingListener>();
  std::vector<std::string> said_;
};

// The number in `tools.register {...}`.
std::int64_t tool_number(std::string_view said);

// `{layers: [{kind, does}]}`
JsonObject one_layer(std::string_view kind, std::string_view does);

}  // namespace goondan::test
