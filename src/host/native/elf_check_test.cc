#include "host/native/elf_check.h"

#include <elf.h>

#include <gtest/gtest.h>

namespace goondan {
namespace {

struct Elf {
  unsigned char elf_class = ELFCLASS64;
  unsigned char order = ELFDATA2LSB;
  char type = ET_DYN;
  unsigned char machine = EM_X86_64;
};

std::string header(Elf elf) {
  std::string bytes = ELFMAG;
  bytes += static_cast<char>(elf.elf_class);
  bytes += static_cast<char>(elf.order);
  bytes.resize(EI_NIDENT, '\0');
  const bool little = elf.order == ELFDATA2LSB;
  for (const char half : {elf.type, static_cast<char>(elf.machine)}) {
    bytes += little ? half : '\0';
    bytes += little ? '\0' : half;
  }
  return bytes;
}

TEST(ElfCheck, NamesTheMachine) {
  EXPECT_EQ(elf_machine(header({})).value(), "x86-64");
  EXPECT_EQ(elf_machine(header({.machine = EM_AARCH64})).value(), "aarch64");
  EXPECT_EQ(elf_machine(header({.elf_class = ELFCLASS32, .machine = EM_386})).value(), "x86");
  EXPECT_EQ(elf_machine(header({.elf_class = ELFCLASS32})).value(), "32-bit x86-64");
  EXPECT_EQ(elf_machine(header({.order = ELFDATA2MSB, .machine = EM_S390})).value(), "s390x");
  EXPECT_EQ(elf_machine(header({.machine = 255})).value(), "machine 255");
}

TEST(ElfCheck, RefusesWhatIsNoSharedLibrary) {
  for (const std::string& bytes :
       {std::string(), std::string("#!/bin/sh\necho this is a script, not a library\n"),
        header({}).substr(0, 19), header({.type = ET_REL}), header({.type = ET_CORE})}) {
    const auto machine = elf_machine(bytes);
    ASSERT_FALSE(machine.ok());
    EXPECT_EQ(machine.error().code, ErrorCode::PluginLoad);
    EXPECT_NE(machine.error().message.find("is not a shared library"), std::string::npos);
  }
}

}  // namespace
}  // namespace goondan
