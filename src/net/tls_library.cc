#include "net/tls_library.h"

#include <dlfcn.h>
#include <string>

#include "os/shared_function.h"

namespace goondan::net {
namespace {

Error not_loaded(std::string_view what) {
  const char* reason = ::dlerror();
  return {.code = ErrorCode::Tls,
          .message = "https needs OpenSSL 3, but " + std::string(what) +
                     " cannot be loaded: " + (reason == nullptr ? "unknown reason" : reason),
          .suggestion = "Install the package libssl3 (Debian, Ubuntu: apt install libssl3)."};
}

}  // namespace

Result<TlsLibrary> TlsLibrary::load(const Names& names) {
  void* crypto = ::dlopen(names.crypto, RTLD_NOW | RTLD_LOCAL);
  if (crypto == nullptr) return not_loaded(names.crypto);
  void* ssl = ::dlopen(names.ssl, RTLD_NOW | RTLD_LOCAL);
  if (ssl == nullptr) return not_loaded(names.ssl);
  TlsLibrary library;
  const char* missing = nullptr;
#define GDN_FIND_SSL(name) os::find_shared_function(ssl, #name, library.name, missing);
#define GDN_FIND_CRYPTO(name) os::find_shared_function(crypto, #name, library.name, missing);
  GDN_SSL_FUNCTIONS(GDN_FIND_SSL)
  GDN_CRYPTO_FUNCTIONS(GDN_FIND_CRYPTO)
#undef GDN_FIND_SSL
#undef GDN_FIND_CRYPTO
  if (missing != nullptr) return not_loaded(missing);
  // No handler at exit, when other threads may still be in the library, and no configuration file,
  // which could load further code.
  library.OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  return library;
}

}  // namespace goondan::net
