#include "oauth/provider/crypto_library.h"

#include <dlfcn.h>
#include <string>

#include "os/shared_function.h"

namespace goondan::oauth {
namespace {

Error crypto_not_loaded(std::string_view what) {
  return {.code = ErrorCode::Tls,
          .message = "id tokens need OpenSSL 3, but " + std::string(what) + " cannot be loaded",
          .suggestion = "Install the package libssl3 (Debian, Ubuntu: apt install libssl3)."};
}

}  // namespace

Result<CryptoLibrary> CryptoLibrary::load(const char* name) {
  void* opened = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return crypto_not_loaded(name);
  CryptoLibrary library;
  const char* missing = nullptr;
#define GDN_FIND(function) os::find_shared_function(opened, #function, library.function, missing);
  GDN_SIGNATURE_FUNCTIONS(GDN_FIND)
#undef GDN_FIND
  if (missing != nullptr) return crypto_not_loaded(missing);
  // As in `net/tls_library.cc`: no handler at exit, no configuration file.
  library.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  return library;
}

}  // namespace goondan::oauth
