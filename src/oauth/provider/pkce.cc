// RFC 7636.
#include <array>
#include <cerrno>
#include <cstddef>
#include <sodium.h>
#include <string>
#include <sys/random.h>

#include "oauth/provider.h"
#include "oauth/provider/unpadded_base64.h"

namespace goondan::oauth {
namespace {

constexpr std::size_t kVerifierBytes = 32;

}  // namespace

Secret new_code_verifier() {
  std::string random(kVerifierBytes, '\0');
  std::size_t filled = 0;
  while (filled < random.size()) {
    const ssize_t got = ::getrandom(random.data() + filled, random.size() - filled, 0);
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  std::string text = unpadded_base64(random);
  ::sodium_memzero(random.data(), random.size());
  return Secret::taken_from(text);
}

std::string code_challenge(std::string_view verifier) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  ::crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(verifier.data()),
                       verifier.size());
  return unpadded_base64({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

}  // namespace goondan::oauth
