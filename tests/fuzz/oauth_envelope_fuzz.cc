// Files of the OAuth store that hold anything: as sealed bytes, as what was sealed, as keys.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "oauth/store/envelope.h"
#include "oauth/store/index.h"
#include "oauth/store/key_ring.h"
#include "oauth/store/sealed_record.h"

namespace {

using namespace goondan::oauth;

const Key& fixed_key() {
  static const Key key{Secret(std::string(Key::kSize, 'k'))};
  return key;
}

void require(bool so) {
  if (!so) std::abort();
}

// Nobody without the key has made bytes that open.
void open_as_files(std::string_view bytes) {
  require(!unseal_record(fixed_key(), {.app = "a", .key = "k"}, bytes));
  for (const Purpose purpose : {Purpose::Record, Purpose::Index}) {
    const auto envelope = read_envelope(bytes, purpose);
    require(!envelope.ok() || !unseal(fixed_key(), purpose, "index", *envelope));
  }
}

// Whatever was sealed is taken apart without reading past its end.
void open_as_texts(std::string_view text) {
  const RecordName name{.app = "a", .key = "k"};
  const std::string sealed = seal(fixed_key(), Purpose::Record, name_bytes(name), text);
  const auto record = unseal_record(fixed_key(), name, sealed);
  require(!record || text.starts_with(record->json.reveal()));
  const auto index = decode_index(text);
  require(!index || decode_index(encode_index(*index)) == index);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  open_as_files(bytes);
  open_as_texts(bytes);
  const auto ring = KeyRing::parse(bytes, "f");
  require(!ring.ok() || KeyRing::parse(ring->format().reveal(), "f").value().newest()->id() ==
                            ring->newest()->id());
  return 0;
}
