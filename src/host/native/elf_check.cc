#include "host/native/elf_check.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <link.h>

namespace goondan {
namespace {

// Identification, type and machine: the same place in files of 32 and 64 bits.
constexpr std::size_t kHeaderBytes = EI_NIDENT + 4;

struct Machine {
  std::uint16_t number;
  std::string_view name;
  unsigned char natural_class;
};

constexpr std::array kMachines{
    Machine{.number = EM_X86_64, .name = "x86-64", .natural_class = ELFCLASS64},
    Machine{.number = EM_AARCH64, .name = "aarch64", .natural_class = ELFCLASS64},
    Machine{.number = EM_386, .name = "x86", .natural_class = ELFCLASS32},
    Machine{.number = EM_ARM, .name = "arm", .natural_class = ELFCLASS32},
    Machine{.number = EM_RISCV, .name = "riscv64", .natural_class = ELFCLASS64},
    Machine{.number = EM_PPC64, .name = "ppc64", .natural_class = ELFCLASS64},
    Machine{.number = EM_S390, .name = "s390x", .natural_class = ELFCLASS64},
    Machine{.number = EM_LOONGARCH, .name = "loongarch64", .natural_class = ELFCLASS64},
    Machine{.number = EM_MIPS, .name = "mips", .natural_class = ELFCLASS32},
};

unsigned char byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

std::uint16_t half_at(std::string_view bytes, std::size_t index) {
  const unsigned first = byte_at(bytes, index);
  const unsigned second = byte_at(bytes, index + 1);
  const bool little = byte_at(bytes, EI_DATA) == ELFDATA2LSB;
  return static_cast<std::uint16_t>(little ? first | second << 8 : second | first << 8);
}

std::string machine_name(std::uint16_t number, unsigned char elf_class) {
  for (const Machine& machine : kMachines) {
    if (machine.number != number) continue;
    if (machine.natural_class == elf_class) return std::string(machine.name);
    return (elf_class == ELFCLASS32 ? "32-bit " : "64-bit ") + std::string(machine.name);
  }
  return "machine " + std::to_string(number);
}

// At most `size` bytes from `offset`; fewer where the file ends.
std::string read_bytes(std::ifstream& in, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

std::string read_header(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return read_bytes(in, 0, kHeaderBytes);
}

// Whether everything that will be mapped is in the file, which is one for this machine.
bool is_complete(const std::filesystem::path& path) {
  std::error_code problem;
  const std::uintmax_t file_size = std::filesystem::file_size(path, problem);
  std::ifstream in(path, std::ios::binary);
  ElfW(Ehdr) header{};
  const std::string header_bytes = read_bytes(in, 0, sizeof header);
  if (problem || header_bytes.size() < sizeof header) return false;
  std::memcpy(&header, header_bytes.data(), sizeof header);
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    const std::string bytes = read_bytes(in, header.e_phoff + i * sizeof segment, sizeof segment);
    if (bytes.size() < sizeof segment) return false;
    std::memcpy(&segment, bytes.data(), sizeof segment);
    const bool fits =
        segment.p_filesz <= file_size && segment.p_offset <= file_size - segment.p_filesz;
    if (segment.p_type == PT_LOAD && !fits) return false;
  }
  return true;
}

}  // namespace

Result<std::string> elf_machine(std::string_view bytes) {
  const bool elf = bytes.size() >= kHeaderBytes && bytes.starts_with(ELFMAG);
  const bool program = elf && half_at(bytes, EI_NIDENT) == ET_EXEC;
  const bool library = elf && half_at(bytes, EI_NIDENT) == ET_DYN;
  if (program || library)
    return machine_name(half_at(bytes, EI_NIDENT + 2), byte_at(bytes, EI_CLASS));
  return Error{.code = ErrorCode::PluginLoad,
               .message = "is not a shared library",
               .suggestion = "Build it with `-shared -fPIC`, or let `entry` name the .cc file."};
}

Result<void> check_elf(const std::filesystem::path& path) {
  const std::string name = "'" + path.string() + "' ";
  Result<std::string> theirs = elf_machine(read_header(path));
  if (!theirs.ok()) {
    theirs.error().message = name + theirs.error().message;
    return std::move(theirs).error();
  }
  const std::string ours = elf_machine(read_header("/proc/self/exe")).value();
  if (*theirs != ours) {
    return Error{.code = ErrorCode::PluginArchitecture,
                 .message = name + "was built for " + *theirs + ", this program is " + ours,
                 .suggestion =
                     "Build the plugin on this machine, or let `entry` name its .cc "
                     "file, which is then built when it is needed."};
  }
  if (is_complete(path)) return {};
  return Error{.code = ErrorCode::PluginLoad,
               .message = name + "is cut off in the middle",
               .suggestion = "Build or copy it again."};
}

}  // namespace goondan
