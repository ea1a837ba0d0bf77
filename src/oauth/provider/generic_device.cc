// The device authorization grant (RFC 8628).
#include <algorithm>
#include <utility>

#include "base/json_fields.h"
#include "oauth/provider/endpoint_url.h"
#include "oauth/provider/generic.h"
#include "oauth/provider/scopes.h"

namespace goondan::oauth {
namespace {

using std::chrono::seconds;

constexpr std::size_t kMaxUserCode = 64;
constexpr std::size_t kMaxVerificationUri = 2048;
constexpr seconds kDefaultInterval{5};
constexpr seconds kMaxInterval{300};
constexpr seconds kDefaultDeviceLife{600};
constexpr seconds kMaxDeviceLife{3600};

ProviderError unusable_device(const std::string& problem) {
  return broken("unusable_answer",
                "the answer of the device authorization endpoint is unusable: " + problem);
}

// A person opens it: an address that is safe to show.
bool is_shown_uri(const std::string& text, PlainHttp plain) {
  return text.size() <= kMaxVerificationUri && is_token_text(text) &&
         parse_endpoint(text, "verification_uri", plain).ok();
}

seconds whole_seconds(const JsonObject& answer, std::string_view key, seconds otherwise,
                      seconds most) {
  const Json* field = answer.if_contains(key);
  if (field == nullptr || !field->is_number()) return otherwise;
  const double number = field->to_number<double>();
  if (!(number >= 1)) return seconds(1);
  return number >= static_cast<double>(most.count()) ? most
                                                     : seconds(static_cast<std::int64_t>(number));
}

Answer<DeviceCode> read_device_code(const JsonObject& answer, PlainHttp plain) {
  const std::string code = text_field(answer, "device_code");
  if (!is_token_text(code)) return unusable_device("`device_code` is missing or no code");
  DeviceCode read{.device_code = Secret(code),
                  .user_code = text_field(answer, "user_code"),
                  .verification_uri = text_field(answer, "verification_uri"),
                  .verification_uri_complete = text_field(answer, "verification_uri_complete")};
  if (read.verification_uri.empty()) read.verification_uri = text_field(answer, "verification_url");
  // A user code may have a space in its middle.
  std::string letters = read.user_code;
  std::ranges::replace(letters, ' ', '-');
  if (!is_token_text(letters, kMaxUserCode)) return unusable_device("`user_code` is no code");
  if (!is_shown_uri(read.verification_uri, plain)) {
    return unusable_device("`verification_uri` is no https URL");
  }
  if (!is_shown_uri(read.verification_uri_complete, plain)) read.verification_uri_complete.clear();
  read.expires_in = whole_seconds(answer, "expires_in", kDefaultDeviceLife, kMaxDeviceLife);
  read.interval = whole_seconds(answer, "interval", kDefaultInterval, kMaxInterval);
  return read;
}

}  // namespace

Answer<DeviceCode> GenericProvider::start_device(const std::vector<std::string>& scopes,
                                                 const Limit& limit) {
  const auto known = endpoints(limit);
  if (const ProviderError* error = error_of(known)) return *error;
  const std::string& url = std::get<App::Endpoints>(known).device_authorization;
  if (url.empty()) {
    return broken("device_code_unsupported", "the provider has no device authorization endpoint");
  }
  Parameters form;
  if (!scopes.empty()) form.emplace_back("scope", joined_scopes(scopes, ' '));
  if (!app().resource.empty()) form.emplace_back("resource", app().resource);
  const auto reply = caller().post(
      authenticated(
          {.name = "the device authorization endpoint", .url = url, .form = std::move(form)}),
      limit);
  if (const ProviderError* error = error_of(reply)) return *error;
  const auto answer = read_reply(std::get<EndpointReply>(reply), {client_secret()});
  if (const ProviderError* error = error_of(answer)) return *error;
  const Result<net::Url> asked = net::Url::parse(url);
  const bool local = asked.ok() && is_loopback(*asked);
  return read_device_code(std::get<JsonObject>(answer),
                          local ? PlainHttp::ForLoopback : PlainHttp::Never);
}

Answer<Tokens> GenericProvider::poll_device(std::string_view device_code,
                                            const std::vector<std::string>& scopes,
                                            const Limit& limit) {
  return ask_for_tokens({{"grant_type", "urn:ietf:params:oauth:grant-type:device_code"},
                         {"device_code", std::string(device_code)}},
                        {device_code, client_secret()}, {.scopes = scopes}, limit);
}

}  // namespace goondan::oauth
