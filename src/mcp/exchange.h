// Requests to one server: ids, `_meta`, progress, and what an answer means in the server's era.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "mcp/client.h"
#include "mcp/json_rpc.h"

namespace goondan::mcp {

// For a request whose caller set no deadline. Nothing waits for ever.
inline constexpr std::chrono::minutes kDefaultRequestTime{5};

// `deadline`, or that time from now if there is none.
Deadline bounded(Deadline deadline);

using Headers = std::vector<std::pair<std::string, std::string>>;

// What came back: the `result`, which is always an object, or the server's error.
using Reply = std::variant<JsonObject, RpcError>;

// Borrows the transport. Thread-safe once the era is set; until then one thread at a time asks.
class Exchange {
 public:
  Exchange(Transport& transport, std::string server)
      : transport_(transport), server_(std::move(server)) {}

  // `capabilities`: those of ours that modern requests declare.
  void set_era(Era era, std::string version, JsonObject capabilities);
  [[nodiscard]] Era era() const { return era_; }
  [[nodiscard]] const std::string& server() const { return server_; }
  [[nodiscard]] Transport& transport() const { return transport_; }

  // Sends and waits. Fails only as `Transport::request` does, or with `E_MCP` for an answer without
  // a proper result.
  Result<Reply> ask(std::string_view method, JsonObject params, const RequestOptions& options,
                    Headers headers = {});

  // The same with the server's error as `E_MCP`, and a result whose `resultType` has been checked:
  // it is complete, or the server requires input.
  struct Answer {
    enum class Type { Complete, InputRequired } type = Type::Complete;
    JsonObject result = {};
  };
  Result<Answer> request(std::string_view method, JsonObject params, const RequestOptions& options,
                         Headers headers = {});

  // The `params` of a `notifications/progress`. On any thread.
  void take_progress(const JsonObject& params);

  [[nodiscard]] Error to_error(std::string_view method, const RpcError& error) const;

 private:
  // While one caller waits. Its mutex makes sure that nothing is called after the end.
  struct Listener {
    std::mutex mutex;
    const std::function<void(const Progress&)>* call = nullptr;
  };
  class Listening;

  [[nodiscard]] bool wants_same_again(const RpcError& error) const;
  JsonObject with_meta(JsonObject params, std::int64_t id, const RequestOptions& options) const;
  [[nodiscard]] Result<Answer> checked(std::string_view method, JsonObject result) const;

  Transport& transport_;
  const std::string server_;
  std::atomic<Era> era_ = Era::Unknown;  // also asked for by whoever brings messages
  std::string version_;
  JsonObject capabilities_;
  std::atomic<std::int64_t> next_id_ = 1;
  std::mutex listeners_mutex_;
  std::map<std::int64_t, std::shared_ptr<Listener>> listeners_;  // shared with a running call
};

// `{name, version}` of this program.
JsonObject client_info();

}  // namespace goondan::mcp
