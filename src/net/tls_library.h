// OpenSSL, opened when it is first needed: most runs of the program make no TLS connection and need
// not load it.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <goondan/result.h>

// The functions we use, by library.
#define GDN_SSL_FUNCTIONS(X)          \
  X(OPENSSL_init_ssl)                 \
  X(SSL_CTX_ctrl)                     \
  X(SSL_CTX_free)                     \
  X(SSL_CTX_new)                      \
  X(SSL_CTX_set_alpn_protos)          \
  X(SSL_CTX_set_default_verify_paths) \
  X(SSL_CTX_set_options)              \
  X(SSL_CTX_set_verify)               \
  X(SSL_connect)                      \
  X(SSL_ctrl)                         \
  X(SSL_free)                         \
  X(SSL_get0_param)                   \
  X(SSL_get_error)                    \
  X(SSL_get_verify_result)            \
  X(SSL_new)                          \
  X(SSL_peek)                         \
  X(SSL_read)                         \
  X(SSL_set1_host)                    \
  X(SSL_set_bio)                      \
  X(SSL_set_hostflags)                \
  X(SSL_write)                        \
  X(TLS_client_method)
#define GDN_CRYPTO_FUNCTIONS(X)    \
  X(BIO_ctrl)                      \
  X(BIO_free)                      \
  X(BIO_new)                       \
  X(BIO_read)                      \
  X(BIO_s_mem)                     \
  X(BIO_write)                     \
  X(ERR_clear_error)               \
  X(ERR_peek_last_error)           \
  X(ERR_reason_error_string)       \
  X(X509_VERIFY_PARAM_set1_ip_asc) \
  X(X509_verify_cert_error_string)

namespace goondan::net {

// Pointers to OpenSSL's functions under their own names. Immutable; stays loaded for the life of
// the process, since OpenSSL leaves things behind in every thread that used it.
struct TlsLibrary {
  struct Names {
    const char* ssl = "libssl.so.3";
    const char* crypto = "libcrypto.so.3";
  };

  // Fails with `E_TLS` if the libraries are not installed.
  static Result<TlsLibrary> load(const Names& names);

// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration takes none
#define GDN_FUNCTION(name) decltype(&::name) name = nullptr;
  // NOLINTBEGIN(readability-identifier-naming): OpenSSL's names
  GDN_SSL_FUNCTIONS(GDN_FUNCTION)
  GDN_CRYPTO_FUNCTIONS(GDN_FUNCTION)
  // NOLINTEND(readability-identifier-naming)
#undef GDN_FUNCTION
};

}  // namespace goondan::net
