// Bytes as a URL, as a reference in a redirect, and as an entry of the operator's list: what is
// read has one form only, and an address that is not public never passes the judge.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "net/host_policy.h"
#include "net/url.h"

namespace {

using namespace goondan;       // NOLINT(google-build-using-namespace): one small program
using namespace goondan::net;  // NOLINT(google-build-using-namespace): one small program

void expect(bool holds) {
  if (!holds) std::abort();
}

void check_error(const Error& error) {
  expect(!error.message.empty() && utf8::valid(error.message) && utf8::valid(error.suggestion));
}

void check_judgement(const Url& url) {
  const Result<void> judgement = HostPolicy().judge_name(url);
  if (!judgement.ok()) return check_error(judgement.error());
  const std::optional<IpAddress> address = IpAddress::parse(url.host);
  expect(!address || is_global_unicast(*address));
  expect(address || url.host.find('.') != std::string::npos);
}

void check_url(const Result<Url>& url) {
  if (!url.ok()) return check_error(url.error());
  const Result<Url> again = Url::parse(url->text());
  // Encoding can make a URL longer than one may be.
  expect(url->text().size() > 16'384 || (again.ok() && *again == *url));
  expect(!url->host.empty() && url->port != 0 && url->path.starts_with('/'));
  check_judgement(*url);
}

void check_entry(std::string_view text) {
  const Result<AllowedHost> entry = AllowedHost::parse(text);
  if (!entry.ok()) return check_error(entry.error());
  const Result<Url> url = Url::parse("http://" + std::string(text));
  expect(url.ok() && url->host == entry->host);
  expect(HostPolicy({*entry}).judge_name(*url).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  check_url(Url::parse(text));
  check_url(Url::parse("http://example.com/a/b?c#d").value().resolve(text));
  check_entry(text);
  return 0;
}
