// Sealed texts, the index and the ring of keys, as bytes.
#include "oauth/store/envelope.h"

#include <set>

#include <gtest/gtest.h>

#include "oauth/store/index.h"
#include "oauth/store/sealed_record.h"

namespace goondan::oauth {
namespace {

std::optional<std::string> opened(const Key& key, Purpose purpose, std::string_view context,
                                  std::string_view bytes) {
  const auto envelope = read_envelope(bytes, purpose);
  if (!envelope.ok()) return std::nullopt;
  const auto text = unseal(key, purpose, context, *envelope);
  return text ? std::optional(std::string(text->reveal())) : std::nullopt;
}

TEST(EnvelopeTest, OpensWithTheSameKeyPurposeAndContextOnly) {
  const Key key = Key::random();
  for (const std::string& text : {std::string(), std::string("text"), std::string(5'000, 'x')}) {
    const std::string sealed = seal(key, Purpose::Record, "name", text);
    EXPECT_EQ(opened(key, Purpose::Record, "name", sealed), text);
    EXPECT_FALSE(opened(key, Purpose::Record, "nam", sealed));
    EXPECT_FALSE(opened(key, Purpose::Index, "name", sealed));
    EXPECT_FALSE(opened(Key::random(), Purpose::Record, "name", sealed));
  }
}

TEST(EnvelopeTest, EveryChangedOrMissingByteIsFound) {
  const Key key = Key::random();
  const std::string sealed = seal(key, Purpose::Record, "name", "text");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::string changed = sealed;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_FALSE(opened(key, Purpose::Record, "name", changed)) << i;
    }
    EXPECT_FALSE(opened(key, Purpose::Record, "name", sealed.substr(0, i))) << i;
  }
  EXPECT_FALSE(opened(key, Purpose::Record, "name", sealed + '\0'));
}

TEST(EnvelopeTest, NoTwoSealedTextsAreAlike) {
  const Key key = Key::random();
  std::set<std::string> nonces;
  for (int i = 0; i < 1'000; ++i)
    nonces.insert(seal(key, Purpose::Record, "", "").substr(16, 24));
  EXPECT_EQ(nonces.size(), 1'000U);
}

TEST(EnvelopeTest, ANewerVersionIsSaid) {
  std::string sealed = seal(Key::random(), Purpose::Index, "", "text");
  sealed[4] = 2;
  EXPECT_EQ(read_envelope(sealed, Purpose::Index).error().code, ErrorCode::StoreVersion);
}

TEST(KeyRingTest, EachPurposeHasAKeyOfItsOwn) {
  const Key key = Key::random();
  std::set<std::string_view> parts{key.bytes().reveal()};
  for (const Purpose purpose : {Purpose::Record, Purpose::Index, Purpose::FileNames, Purpose::Id})
    parts.insert(key.part(purpose));
  EXPECT_EQ(parts.size(), 5U);
}

TEST(KeyRingTest, IsReadAsItWasWritten) {
  const auto first = std::make_shared<const Key>(Key::random());
  const auto second = std::make_shared<const Key>(Key::random());
  KeyRing ring = KeyRing::of(first);
  ring.add(second);
  const KeyRing again = KeyRing::parse(ring.format().reveal(), "f").value();
  EXPECT_EQ(again.size(), 2U);
  EXPECT_EQ(again.newest()->id(), second->id());
  ASSERT_NE(again.find(first->id()), nullptr);
  EXPECT_TRUE(again.find(first->id())->bytes().same_as(first->bytes().reveal()));
}

TEST(KeyRingTest, OneKeyCanBeGivenAsBytesOrDigits) {
  const Key key = Key::random();
  const std::string bytes(key.bytes().reveal());
  for (const std::string& text : {bytes, hex_of(bytes), hex_of(bytes) + "\n"})
    EXPECT_EQ(KeyRing::parse(text, "f").value().newest()->id(), key.id());
}

TEST(KeyRingTest, WhatIsNoKeyIsRefused) {
  const std::string ring(KeyRing::of(std::make_shared<const Key>(Key::random())).format().reveal());
  std::string changed = ring;
  changed[ring.size() - 3] = changed[ring.size() - 3] == '0' ? '1' : '0';
  for (const std::string& text :
       {std::string(), std::string("secret"), std::string(64, 'g'), ring.substr(0, 21),
        ring.substr(0, ring.size() - 1), ring + "\n", changed}) {
    const auto refused = KeyRing::parse(text, "the-file");
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::StoreKey);
    EXPECT_NE(refused.error().message.find("the-file"), std::string::npos);
  }
}

Index sample() {
  Index index = new_index();
  index.last = 9;
  index.records = {{{RecordKind::Grant, "app", "subject"}, 9}, {{RecordKind::Session, "", "s"}, 1}};
  return index;
}

TEST(IndexTest, IsReadAsItWasWritten) {
  for (const Index& index : {new_index(), sample()}) {
    const std::string bytes = encode_index(index);
    EXPECT_EQ(bytes.size() % 1024, 0U);
    EXPECT_EQ(decode_index(bytes), index);
  }
}

TEST(IndexTest, NoShorterTextIsAnIndex) {
  const std::string bytes = encode_index(sample());
  const std::size_t used = bytes.find_last_not_of('\0') + 1;
  for (std::size_t size = 0; size < used; ++size)
    EXPECT_FALSE(decode_index(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_index(bytes + "x"));
  EXPECT_FALSE(decode_index(std::string(44, '\xff')));
}

}  // namespace
}  // namespace goondan::oauth
