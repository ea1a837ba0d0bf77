#include <memory>

#include "oauth/provider/der.h"
#include "oauth/provider/id_token.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kEs256Bytes = 64;
constexpr int kMinRsaBits = 2048;

const unsigned char* openssl_bytes(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

using LoadedKey = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
using VerifyDigest = std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)>;

LoadedKey load_public_key(const CryptoLibrary& library, const Jwk& key) {
  const unsigned char* der = openssl_bytes(key.der);
  LoadedKey loaded(library.d2i_PUBKEY(nullptr, &der, static_cast<long>(key.der.size())),
                   library.EVP_PKEY_free);
  const bool weak = key.type == Jwk::Type::Rsa && loaded != nullptr &&
                    library.EVP_PKEY_get_bits(loaded.get()) < kMinRsaBits;
  if (weak) loaded.reset();
  return loaded;
}

bool set_padding(const CryptoLibrary& library, const IdToken& token, EVP_PKEY_CTX* context) {
  switch (token.algorithm) {
    case SignatureAlgorithm::Rs256:
      return library.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1;
    case SignatureAlgorithm::Ps256:
      return library.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
             library.EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
    case SignatureAlgorithm::Es256:
    case SignatureAlgorithm::EdDsa:
      return true;
  }
  return false;
}

bool is_verified_by(const CryptoLibrary& library, const IdToken& token,
                    const std::string& signature, EVP_PKEY* key) {
  const VerifyDigest digest(library.EVP_MD_CTX_new(), library.EVP_MD_CTX_free);
  EVP_PKEY_CTX* context = nullptr;  // belongs to the digest
  const EVP_MD* hash =
      token.algorithm == SignatureAlgorithm::EdDsa ? nullptr : library.EVP_sha256();
  return digest != nullptr &&
         library.EVP_DigestVerifyInit(digest.get(), &context, hash, nullptr, key) == 1 &&
         set_padding(library, token, context) &&
         library.EVP_DigestVerify(digest.get(), openssl_bytes(signature), signature.size(),
                                  openssl_bytes(token.signed_text), token.signed_text.size()) == 1;
}

}  // namespace

bool signature_is_right(const CryptoLibrary& library, const IdToken& token, const Jwk& key) {
  if (!key.fits(token.algorithm, token.algorithm_name)) return false;
  std::string signature = token.signature;
  if (token.algorithm == SignatureAlgorithm::Es256) {
    if (signature.size() != kEs256Bytes) return false;
    const std::string_view halves = token.signature;
    signature =
        der::ecdsa_signature(halves.substr(0, kEs256Bytes / 2), halves.substr(kEs256Bytes / 2));
  }
  const LoadedKey loaded = load_public_key(library, key);
  const bool right = loaded != nullptr && is_verified_by(library, token, signature, loaded.get());
  library.ERR_clear_error();
  return right;
}

}  // namespace goondan::oauth
