// Keys and id tokens for tests, made with OpenSSL when they are needed.
#pragma once

#include <cstdlib>
#include <memory>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <string>
#include <string_view>
#include <vector>

#include <goondan/json.h>

#include "oauth/provider/unpadded_base64.h"

namespace goondan::oauth::test {

struct SigningKey {
  std::string algorithm;
  std::string id;
  std::shared_ptr<EVP_PKEY> key;
};

inline SigningKey make_key(const std::string& algorithm, const std::string& id,
                           unsigned rsa_bits = 2048) {
  EVP_PKEY* key = nullptr;
  if (algorithm == "ES256") {
    key = EVP_EC_gen("P-256");
  } else if (algorithm == "EdDSA") {
    key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  } else {
    key = EVP_RSA_gen(rsa_bits);
  }
  if (key == nullptr) std::abort();
  return {.algorithm = algorithm, .id = id, .key = {key, EVP_PKEY_free}};
}

inline std::string number_of(const SigningKey& key, const char* name) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key.key.get(), name, &number) != 1) std::abort();
  const bool curve = key.algorithm == "ES256";
  std::string bytes(static_cast<std::size_t>(curve ? 32 : BN_num_bytes(number)), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()),
               static_cast<int>(bytes.size()));
  BN_free(number);
  return unpadded_base64(bytes);
}

inline JsonObject public_jwk(const SigningKey& key) {
  JsonObject jwk{{"kid", key.id}, {"use", "sig"}, {"alg", key.algorithm}};
  if (key.algorithm == "ES256") {
    jwk["kty"] = "EC";
    jwk["crv"] = "P-256";
    jwk["x"] = number_of(key, OSSL_PKEY_PARAM_EC_PUB_X);
    jwk["y"] = number_of(key, OSSL_PKEY_PARAM_EC_PUB_Y);
  } else if (key.algorithm == "EdDSA") {
    std::string raw(32, '\0');
    std::size_t size = raw.size();
    EVP_PKEY_get_raw_public_key(key.key.get(), reinterpret_cast<unsigned char*>(raw.data()), &size);
    jwk["kty"] = "OKP";
    jwk["crv"] = "Ed25519";
    jwk["x"] = unpadded_base64(raw);
  } else {
    jwk["kty"] = "RSA";
    jwk["n"] = number_of(key, OSSL_PKEY_PARAM_RSA_N);
    jwk["e"] = number_of(key, OSSL_PKEY_PARAM_RSA_E);
  }
  return jwk;
}

inline JsonObject key_set(const std::vector<SigningKey>& keys) {
  JsonArray list;
  for (const SigningKey& key : keys) {
    list.push_back(public_jwk(key));
  }
  return {{"keys", std::move(list)}};
}

// The two numbers of an ECDSA signature, as JOSE writes them.
inline std::string jose_signature(const std::string& der) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
  ECDSA_SIG* signature = d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(der.size()));
  std::string halves(64, '\0');
  auto* out = reinterpret_cast<unsigned char*>(halves.data());
  BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + 32, 32);
  ECDSA_SIG_free(signature);
  return halves;
}

inline std::string signature_of(const SigningKey& key, const std::string& text) {
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  EVP_PKEY_CTX* context = nullptr;
  const EVP_MD* hash = key.algorithm == "EdDSA" ? nullptr : EVP_sha256();
  EVP_DigestSignInit(digest, &context, hash, nullptr, key.key.get());
  if (key.algorithm == "PS256") {
    EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING);
    EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST);
  }
  std::string signature(1024, '\0');
  std::size_t size = signature.size();
  EVP_DigestSign(digest, reinterpret_cast<unsigned char*>(signature.data()), &size,
                 reinterpret_cast<const unsigned char*>(text.data()), text.size());
  EVP_MD_CTX_free(digest);
  signature.resize(size);
  return key.algorithm == "ES256" ? jose_signature(signature) : signature;
}

inline std::string signed_token(const SigningKey& key, const JsonObject& claims,
                                JsonObject header = {}) {
  if (!header.contains("alg")) header["alg"] = key.algorithm;
  if (!header.contains("kid") && !key.id.empty()) header["kid"] = key.id;
  const std::string text =
      unpadded_base64(to_text(header)) + "." + unpadded_base64(to_text(claims));
  return text + "." + unpadded_base64(signature_of(key, text));
}

}  // namespace goondan::oauth::test
