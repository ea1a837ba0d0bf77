#include "host/sdk/extension_line.h"

#include "host/sdk/host_proxy.h"

namespace goondan::plugin {

// The host to use now, kept for as long as this lives.
class ExtensionLine::Use {
 public:
  explicit Use(ExtensionLine& line) : line_(line) {
    const std::scoped_lock lock(line_.mutex_);
    setup_ = line_.setup_;
    if (setup_ != nullptr) ++line_.users_;
  }
  ~Use() {
    if (setup_ == nullptr) return;
    const std::scoped_lock lock(line_.mutex_);
    if (--line_.users_ == 0) line_.unused_.notify_all();
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  [[nodiscard]] gdn_host* host() const { return setup_ != nullptr ? setup_ : line_.life_; }

 private:
  ExtensionLine& line_;
  gdn_host* setup_;
};

void ExtensionLine::begin_setup(gdn_host* call) {
  const std::scoped_lock lock(mutex_);
  setup_ = call;
}

void ExtensionLine::end_setup() {
  std::unique_lock lock(mutex_);
  setup_ = nullptr;
  unused_.wait(lock, [this] { return users_ == 0; });
}

Result<Json> ExtensionLine::request(std::string_view method, const Json& params) {
  const Use use(*this);
  return HostProxy(use.host(), api_).request(method, params);
}

void ExtensionLine::notify(std::string_view method, const Json& params) {
  const Result<Json> taken = request(method, params);
  static_cast<void>(taken);  // nobody could do anything about it
}

}  // namespace goondan::plugin
