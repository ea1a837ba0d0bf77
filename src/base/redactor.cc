#include "base/redactor.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "base/redactor_mask.h"
#include "base/redactor_scan.h"
#include "base/secret_forms.h"

namespace goondan {
namespace {

// Of a longer secret, the rest is not masked.
constexpr std::size_t kMaxSecretBytes = 65536;

// The first secrets are those of the environment and stay. Later ones come from calls; of these,
// at least the last `kRecentSecrets` are known, so that no caller can make this grow for ever.
constexpr std::size_t kLastingSecrets = 256;
constexpr std::size_t kRecentSecrets = 256;

}  // namespace

struct Redactor::State {
  mutable std::mutex mutex;
  std::vector<std::string> secrets;
  std::vector<std::string> forms;  // sorted; of the first `formed` secrets
  std::size_t formed = 0;
  std::shared_ptr<const SecretScanner> scanner;  // null: to be made when it is needed

  void add_forms() {
    for (; formed < secrets.size(); ++formed) {
      for (std::string& form : secret_forms(secrets[formed]))
        forms.push_back(std::move(form));
    }
    std::ranges::sort(forms);
    const auto repeated = std::ranges::unique(forms);
    forms.erase(repeated.begin(), repeated.end());
  }

  void drop_old_ones() {
    if (secrets.size() <= kLastingSecrets + 2 * kRecentSecrets) return;
    const auto first = secrets.begin() + kLastingSecrets;
    secrets.erase(first, first + kRecentSecrets);
    forms.clear();
    formed = 0;
  }
};

Redactor::Redactor() : state_(std::make_unique<State>()) {}
Redactor::~Redactor() = default;

void Redactor::add_secret(std::string_view secret) {
  secret = secret.substr(0, kMaxSecretBytes);
  if (secret.size() < kMinSecretBytes) return;
  const std::lock_guard lock(state_->mutex);
  if (std::ranges::find(state_->secrets, secret) != state_->secrets.end()) return;
  state_->secrets.emplace_back(secret);
  state_->drop_old_ones();
  state_->scanner = nullptr;
}

std::shared_ptr<const SecretScanner> Redactor::scanner() const {
  const std::lock_guard lock(state_->mutex);
  if (!state_->scanner) {
    state_->add_forms();
    state_->scanner = std::make_shared<const SecretScanner>(state_->forms);
  }
  return state_->scanner;
}

bool Redactor::finds_in(std::string_view text) const {
  return scanner()->finds_in(text);
}

std::string Redactor::redact(std::string_view text) const {
  std::string out(text);
  mask_in(*scanner(), out);
  return out;
}

std::string Redactor::redact_cut(std::string_view text, CutSide side) const {
  std::string out(text);
  mask_in_cut(*scanner(), out, side);
  return out;
}

void Redactor::redact(Json& value) const {
  mask_in(*scanner(), value);
}

void Redactor::redact(Error& error) const {
  const std::shared_ptr<const SecretScanner> known = scanner();
  mask_in(*known, error.message);
  mask_in(*known, error.suggestion);
  mask_in(*known, error.help_url);
  mask_in(*known, error.custom_code);
  mask_in(*known, error.custom_name);
}

}  // namespace goondan
