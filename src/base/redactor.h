// Keeps secrets out of everything that leaves a call: results, errors, logs, traces.
//
// Masks known secrets wherever they turn up (as they are, and in base64, base64url, hex,
// percent-encoded and JSON-escaped form) and what looks like one by its shape (`xoxb-...`,
// `bot123:...`, `ghp_...`, `AKIA...`, `eyJ...`, private keys, `Bearer ...`, `access_token=...`).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <goondan/error.h>
#include <goondan/json.h>

namespace goondan {

// What stands in the place of a secret.
inline constexpr std::string_view kRedacted = "[redacted]";

// Shorter ones are not masked: they would turn up by chance in ordinary text.
inline constexpr std::size_t kMinSecretBytes = 8;

// Less of a secret than this is not masked at a cut: every other text ends like that.
inline constexpr std::size_t kMinCutBytes = 4;

// Where a text was cut off: it went on after its end, or had begun before its beginning.
enum class CutSide { End, Begin };

class SecretScanner;

// Thread-safe. Secrets can be added while others redact. Redacting twice is the same as once; a
// text that is valid UTF-8 stays it.
class Redactor {
 public:
  Redactor();
  ~Redactor();
  Redactor(const Redactor&) = delete;
  Redactor& operator=(const Redactor&) = delete;

  void add_secret(std::string_view secret);

  // Whether there is anything to mask. Most texts have nothing; asking is cheap.
  [[nodiscard]] bool finds_in(std::string_view text) const;

  [[nodiscard]] std::string redact(std::string_view text) const;
  void redact(Json& value) const;  // every string in it, keys too
  void redact(Error& error) const;

  // Like `redact`, for a text whose rest was cut off there: what may be the part of a known secret
  // that the cut left, `kMinCutBytes` or more, is masked too.
  [[nodiscard]] std::string redact_cut(std::string_view text, CutSide side) const;

  // What is known now; for looking through many texts, or through one in pieces.
  [[nodiscard]] std::shared_ptr<const SecretScanner> scanner() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace goondan
