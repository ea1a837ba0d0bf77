// The part of OpenSSL that checks signatures, opened when the first id token comes.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <goondan/result.h>

// The functions we use.
#define GDN_SIGNATURE_FUNCTIONS(X)    \
  X(ERR_clear_error)                  \
  X(EVP_DigestVerify)                 \
  X(EVP_DigestVerifyInit)             \
  X(EVP_MD_CTX_free)                  \
  X(EVP_MD_CTX_new)                   \
  X(EVP_PKEY_CTX_set_rsa_padding)     \
  X(EVP_PKEY_CTX_set_rsa_pss_saltlen) \
  X(EVP_PKEY_free)                    \
  X(EVP_PKEY_get_bits)                \
  X(EVP_sha256)                       \
  X(OPENSSL_init_crypto)              \
  X(d2i_PUBKEY)

namespace goondan::oauth {

// Pointers to OpenSSL's functions under their own names. A value; the library stays loaded.
struct CryptoLibrary {
  // Fails with `E_TLS` if it is not installed.
  static Result<CryptoLibrary> load(const char* name = "libcrypto.so.3");

// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration takes none
#define GDN_FUNCTION(name) decltype(&::name) name = nullptr;
  // NOLINTBEGIN(readability-identifier-naming): OpenSSL's names
  GDN_SIGNATURE_FUNCTIONS(GDN_FUNCTION)
  // NOLINTEND(readability-identifier-naming)
#undef GDN_FUNCTION
};

}  // namespace goondan::oauth
