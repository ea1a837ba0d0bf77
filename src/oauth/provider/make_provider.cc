#include <memory>
#include <utility>

#include "oauth/provider/generic.h"
#include "oauth/provider/known_endpoints.h"
#include "oauth/provider/slack.h"

namespace goondan::oauth {

std::unique_ptr<Provider> make_provider(App app, net::HttpClient& http, net::HostPolicy policy) {
  if (app.provider == kSlack) {
    return std::make_unique<SlackProvider>(std::move(app), http, std::move(policy));
  }
  return std::make_unique<GenericProvider>(std::move(app), http, std::move(policy));
}

}  // namespace goondan::oauth
