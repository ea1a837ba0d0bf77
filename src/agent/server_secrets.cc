#include "agent/server_secrets.h"

#include "builtin/http_fetch/header_secrets.h"
#include "policy/environment.h"

namespace goondan::agent {
namespace {

class Collector {
 public:
  explicit Collector(const ValueSource::Environment& environment) : environment_(environment) {}

  void add_variable(const std::string& name, const ValueSource& source) {
    const std::string value = value_of(name, source);
    add_all(secrets_in(name, value));
    if (source.env) add_all(secrets_in(*source.env, value));
    if (source.secret_name) add(value);
  }

  void add_header(const std::string& name, const ValueSource& source) {
    const std::string value = value_of(name, source);
    const std::vector<net::Header> header{{.name = name, .value = value}};
    for (const std::string_view secret : builtin::http_fetch::header_secrets(header))
      add(secret);
    if (source.value) return;
    add(value);
    const std::size_t space = value.find(' ');  // `Bearer ...`
    if (space != std::string::npos) add(std::string_view(value).substr(space + 1));
  }

  std::vector<std::string> take() { return std::move(secrets_); }

 private:
  // One that is missing keeps the server from being started, which says so.
  std::string value_of(const std::string& name, const ValueSource& source) {
    const auto value = source.resolve(environment_, ValueSource::Required::No, name);
    return value.ok() ? value->value_or("") : std::string();
  }

  void add(std::string_view secret) {
    if (worth_masking(secret)) secrets_.emplace_back(secret);
  }

  void add_all(const std::vector<std::string>& secrets) {
    secrets_.insert(secrets_.end(), secrets.begin(), secrets.end());
  }

  const ValueSource::Environment& environment_;
  std::vector<std::string> secrets_;
};

}  // namespace

std::vector<std::string> server_secrets(const McpServerResource& server,
                                        const ValueSource::Environment& environment) {
  Collector collector(environment);
  for (const auto& [name, source] : server.env)
    collector.add_variable(name, source);
  for (const auto& [name, source] : server.headers)
    collector.add_header(name, source);
  return collector.take();
}

}  // namespace goondan::agent
