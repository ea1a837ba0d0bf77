// Certificates for tests, made when they are needed.
#pragma once

#include <cstdlib>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>

namespace goondan::net {

struct TestIdentity {
  std::shared_ptr<EVP_PKEY> key;
  std::shared_ptr<X509> certificate;
};

inline void add_extension(X509* certificate, int id, const std::string& value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value.c_str());
  if (extension == nullptr || X509_add_ext(certificate, extension, -1) != 1) std::abort();
  X509_EXTENSION_free(extension);
}

enum class Validity { Now, Past };

struct CertificateOptions {
  std::string name;
  std::string alternatives = {};         // `DNS:a.example,IP:127.0.0.1`; empty: an authority
  const TestIdentity* issuer = nullptr;  // null: signs itself
  Validity validity = Validity::Now;
};

inline TestIdentity make_identity(const CertificateOptions& options) {
  constexpr long kDay = 24L * 60 * 60;
  const TestIdentity made{.key = {EVP_EC_gen("P-256"), EVP_PKEY_free},
                          .certificate = {X509_new(), X509_free}};
  X509* certificate = made.certificate.get();
  X509_set_version(certificate, X509_VERSION_3);
  static long serial = 0;
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  const bool past = options.validity == Validity::Past;
  X509_gmtime_adj(X509_getm_notBefore(certificate), past ? -3 * kDay : -kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), past ? -2 * kDay : kDay);
  X509_set_pubkey(certificate, made.key.get());
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(options.name.c_str()), -1, -1,
                             0);
  const TestIdentity& issuer = options.issuer == nullptr ? made : *options.issuer;
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer.certificate.get()));
  if (options.alternatives.empty()) {
    add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate, NID_key_usage, "critical,keyCertSign");
  } else {
    add_extension(certificate, NID_subject_alt_name, options.alternatives);
  }
  if (X509_sign(certificate, issuer.key.get(), EVP_sha256()) == 0) std::abort();
  return made;
}

// As a file of trusted certificates has it.
inline std::string to_pem(const TestIdentity& identity) {
  BIO* memory = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(memory, identity.certificate.get());
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(memory);
  return pem;
}

}  // namespace goondan::net
