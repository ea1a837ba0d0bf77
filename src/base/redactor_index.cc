#include "base/redactor_index.h"

#include <algorithm>
#include <bit>

#include "base/redactor.h"

namespace goondan {
namespace {

// Bits for each key: one window in 64 is looked at more closely for nothing.
constexpr std::size_t kBitsPerKey = 64;
constexpr int kLeastBits = 12;
constexpr int kMostBits = 22;

// Further apart saves little, and each offset is one more key.
constexpr std::size_t kMostStride = 12;

int bits_for(std::size_t keys) {
  return std::clamp(static_cast<int>(std::bit_width(keys * kBitsPerKey)), kLeastBits, kMostBits);
}

std::size_t stride_for(const std::vector<std::string>& forms, std::size_t window) {
  std::size_t shortest = kMostStride + window - 1;
  for (const std::string& form : forms)
    shortest = std::min(shortest, form.size());
  return shortest - window + 1;
}

// How many bytes both begin with, eight at a time.
std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  std::size_t i = 0;
  for (std::uint64_t left = 0, right = 0; i + sizeof left <= size; i += sizeof left) {
    std::memcpy(&left, a.data() + i, sizeof left);
    std::memcpy(&right, b.data() + i, sizeof right);
    if (left != right) break;
  }
  while (i < size && a[i] == b[i])
    ++i;
  return i;
}

}  // namespace

KeyFilter::KeyFilter(std::size_t expected_keys)
    : shift_(32 - bits_for(expected_keys)), bits_((std::size_t{1} << (32 - shift_)) / 64) {}

void KeyFilter::add(std::uint32_t key) {
  const std::uint32_t slot = slot_of(key);
  bits_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
}

FormIndex::FormIndex(std::vector<std::string> forms)
    : forms_(std::move(forms)),
      stride_(stride_for(forms_, kWindow)),
      windows_(forms_.size() * stride_),
      starts_(forms_.size()) {
  for (const std::string& form : forms_) {
    longest_ = std::max(longest_, form.size());
    starts_.add(window_at(form.data()));
    for (std::size_t offset = 0; offset < stride_; ++offset)
      windows_.add(window_at(form.data() + offset));
  }
}

std::size_t FormIndex::next_window(std::string_view text, std::size_t position) const {
  const char* const data = text.data();
  const std::size_t step = 4 * stride_;
  for (; position + step <= text.size(); position += step) {
    const bool hit = windows_.may_hold(window_at(data + position)) |
                     windows_.may_hold(window_at(data + position + stride_)) |
                     windows_.may_hold(window_at(data + position + 2 * stride_)) |
                     windows_.may_hold(window_at(data + position + 3 * stride_));
    if (hit) break;
  }
  for (; position + kWindow <= text.size(); position += stride_) {
    if (windows_.may_hold(window_at(data + position))) return position;
  }
  return text.size();
}

TextRange FormIndex::find(std::string_view text, std::size_t from) const {
  if (forms_.empty()) return {.begin = text.size(), .end = text.size()};
  std::size_t position = (from + stride_ - 1) / stride_ * stride_;
  while (true) {
    position = next_window(text, position);
    if (position >= text.size()) return {.begin = text.size(), .end = text.size()};
    std::size_t start = std::max(from, position < stride_ ? 0 : position - (stride_ - 1));
    for (; start <= position; ++start) {
      const std::size_t length = longest_at(text.substr(start));
      if (length > 0) return {.begin = start, .end = start + length};
    }
    position += stride_;
  }
}

// Everything between a form that begins `text` and `text` itself, in order, begins with that form
// too. So of the form just before `text`, only as much as both share can still hold a shorter one.
std::size_t FormIndex::longest_at(std::string_view text) const {
  if (!may_begin(text)) return 0;
  while (text.size() >= kMinSecretBytes) {
    auto form = std::ranges::upper_bound(forms_, text);
    if (form == forms_.begin()) return 0;
    --form;
    text = text.substr(0, shared_prefix(*form, text));
    if (text.size() == form->size()) return text.size();
  }
  return 0;
}

bool FormIndex::may_continue(std::string_view tail) const {
  if (tail.size() >= kWindow && !may_begin(tail)) return false;
  const auto form = std::ranges::upper_bound(forms_, tail);
  return form != forms_.end() && form->starts_with(tail);
}

std::size_t FormIndex::end_before(std::string_view text) const {
  const std::string_view start = text.substr(0, kMinCutBytes);
  std::size_t most = 0;
  if (start.size() < kMinCutBytes) return most;
  for (const std::string_view form : forms_) {
    for (std::size_t at = form.find(start, 1); at != form.npos; at = form.find(start, at + 1)) {
      if (text.starts_with(form.substr(at))) most = std::max(most, form.size() - at);
    }
  }
  return most;
}

}  // namespace goondan
