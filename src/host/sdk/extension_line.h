// How an extension reaches the runtime outside of its layers: for its whole life, from any thread.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string_view>

#include <goondan/json.h>
#include <goondan/plugin_abi.h>

namespace goondan::plugin {

// Thread-safe. While the setup runs, what is said belongs to the runtime's call of it.
class ExtensionLine {
 public:
  ExtensionLine(gdn_host* life, const gdn_host_api& api) : life_(life), api_(api) {}

  [[nodiscard]] gdn_host* life() const { return life_; }

  void begin_setup(gdn_host* call);
  // Returns when nobody uses the call any more.
  void end_setup();

  Result<Json> request(std::string_view method, const Json& params);
  void notify(std::string_view method, const Json& params);

 private:
  class Use;

  gdn_host* life_;
  const gdn_host_api& api_;
  std::mutex mutex_;
  std::condition_variable unused_;
  gdn_host* setup_ = nullptr;
  std::size_t users_ = 0;  // of `setup_`
};

}  // namespace goondan::plugin
