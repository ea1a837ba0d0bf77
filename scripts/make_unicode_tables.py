#!/usr/bin/env python3
"""Makes the tables behind base/unicode_case, and the data its test compares with, from what Python
knows of Unicode. Run it by hand after Python has learned a newer Unicode version; the results are
checked in.

usage: make_unicode_tables.py        (writes into the checkout it lies in)
"""
import pathlib
import random
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "src/base/unicode_case_tables.h"
DATA = ROOT / "tests/data/unicode"

BLOCK = 64  # code points in a block of a table
ALL = [cp for cp in range(0x110000) if not 0xD800 <= cp <= 0xDFFF]
SIGMA, FINAL_SIGMA = "\u03a3", "\u03c2"


def case_class(cp):
    """'cased', 'ignorable' or None, as the final-sigma rule sees them: what stands before a sigma
    decides how Python writes it, and a letter that counts as both is skipped."""
    c = chr(cp)
    after_digit = ("1" + c + SIGMA).lower().endswith(FINAL_SIGMA)
    after_letter = ("A" + c + SIGMA).lower().endswith(FINAL_SIGMA)
    if after_digit:
        return "cased"
    return "ignorable" if after_letter else None


def ranges(class_of):
    found = []
    for cp in ALL:
        name = class_of(cp)
        if name is None:
            continue
        if found and found[-1][1] == cp - 1 and found[-1][2] == name:
            found[-1][1] = cp
        else:
            found.append([cp, cp, name])
    return found


def rows(values, width=100, indent="    "):
    lines, line = [], indent
    for value in values:
        item = f"{value}, "
        if len(line) + len(item) - 1 > width:
            lines.append(line.rstrip())
            line = indent
        line += item
    return "\n".join(lines + [line.rstrip()])


def c_text(text):
    return '"' + "".join(f"\\u{ord(c):04X}" if ord(c) > 126 else c for c in text) + '"'


def mapping_table(name, mapped):
    """Code point -> block -> entry -> change. An entry is a byte, so that the tables stay small."""
    changes, texts, blocks, block_of = [0], [], [], []
    last = max(cp for cp in ALL if mapped(chr(cp)) != chr(cp))
    for start in range(0, last + 1, BLOCK):
        block = []
        for cp in range(start, start + BLOCK):
            to = chr(cp) if 0xD800 <= cp <= 0xDFFF else mapped(chr(cp))
            if len(to) == 1:
                change = ord(to) - cp
            else:
                if to not in texts:
                    texts.append(to)
                change = ("text", texts.index(to))
            if change not in changes:
                changes.append(change)
            block.append(changes.index(change))
        if block not in blocks:
            blocks.append(block)
        block_of.append(blocks.index(block))
    assert len(changes) <= 256 and len(blocks) <= 256
    assert not any(blocks[0])  # the code relies on it: block 0 is the one without changes
    assert max(len(text.encode()) for text in texts) <= 6
    numbers = [c if isinstance(c, int) else f"kText + {c[1]}" for c in changes]
    out = f"inline constexpr std::array<std::uint8_t, {len(block_of)}> k{name}BlockOf{{\n{rows(block_of)}}};\n\n"
    out += f"inline constexpr std::array<std::array<std::uint8_t, kBlockSize>, {len(blocks)}> k{name}Blocks{{{{\n"
    out += ",\n".join("    {\n" + rows(b, indent="        ") + "}" for b in blocks) + "}};\n\n"
    out += f"inline constexpr std::array<std::int32_t, {len(changes)}> k{name}Changes{{\n{rows(numbers)}}};\n\n"
    out += f"inline constexpr std::array<std::string_view, {len(texts)}> k{name}Texts{{\n{rows(map(c_text, texts))}}};\n"
    return out


def write_header(classes):
    kind = {"cased": "CaseClass::Cased", "ignorable": "CaseClass::Ignorable"}
    entries = ",\n".join(f"    {{0x{a:04X}, 0x{b:04X}, {kind[name]}}}" for a, b, name in classes)
    HEADER.write_text(f"""// Case mappings of Unicode {unicodedata.unidata_version}. Made by scripts/make_unicode_tables.py; change that, not this.
//
// A code point's block is `BlockOf[code_point / kBlockSize]`, its entry there an index into
// `Changes`: what to add to it, or from `kText` on the number of a text in `Texts`. Block 0 changes
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace goondan::unicode {{

// clang-format off
// NOLINTBEGIN(modernize-use-designated-initializers): tables
inline constexpr std::uint32_t kBlockSize = {BLOCK};
inline constexpr std::int32_t kText = 0x110000;

{mapping_table("Upper", str.upper)}
{mapping_table("Lower", str.lower)}
// How a code point counts for the final-sigma rule; one that is both is `Ignorable`.
enum class CaseClass : std::uint8_t {{ Other, Cased, Ignorable }};

struct CaseRange {{
  std::uint32_t first;
  std::uint32_t last;
  CaseClass kind;
}};

inline constexpr std::array<CaseRange, {len(classes)}> kCaseRanges{{{{
{entries}}}}};
// NOLINTEND(modernize-use-designated-initializers)
// clang-format on

}}  // namespace goondan::unicode
""")


def random_strings(classes, count):
    """Texts that mix letters with mappings, sigmas and what the rule about them looks at."""
    generator = random.Random(20240229)
    by_class = {name: [cp for a, b, n in classes if n == name for cp in range(a, b + 1)]
                for name in ("cased", "ignorable")}
    changing = [cp for cp in ALL if chr(cp).upper() != chr(cp) or chr(cp).lower() != chr(cp)]
    many = [cp for cp in ALL if len(chr(cp).upper()) > 1 or len(chr(cp).lower()) > 1]
    kinds = [lambda: generator.randint(0x20, 0x7E), lambda: ord(SIGMA), lambda: ord(SIGMA),
             lambda: generator.choice(by_class["cased"]), lambda: generator.choice(by_class["ignorable"]),
             lambda: generator.choice(changing), lambda: generator.choice(many),
             lambda: generator.choice([0x20, 0x2E, 0x27, 0xAD, 0x301, 0xAC00, 0x1F600])]
    for _ in range(count):
        length = generator.choice([1, 2, 3, 4, 5, 8, 13, 40])
        yield "".join(chr(generator.choice(kinds)()) for _ in range(length))


def hexadecimal(text):
    return text.encode().hex() or "-"


def write_test_data(classes):
    DATA.mkdir(parents=True, exist_ok=True)
    made = f"# Unicode {unicodedata.unidata_version}; made by scripts/make_unicode_tables.py.\n"
    with (DATA / "case_mappings.txt").open("w") as out:
        out.write(made + "# Code point, upper, lower (UTF-8 in hexadecimal), for each that has either.\n")
        for cp in ALL:
            c = chr(cp)
            if c.upper() != c or c.lower() != c:
                out.write(f"{cp:X} {hexadecimal(c.upper())} {hexadecimal(c.lower())}\n")
    with (DATA / "case_classes.txt").open("w") as out:
        out.write(made + "# First and last code point of a range, and how it counts beside a sigma.\n")
        for a, b, name in classes:
            out.write(f"{a:X} {b:X} {name}\n")
    with (DATA / "case_strings.txt").open("w") as out:
        out.write(made + "# A text, its upper and its lower case (UTF-8 in hexadecimal).\n")
        for text in random_strings(classes, 500):
            out.write(f"{hexadecimal(text)} {hexadecimal(text.upper())} {hexadecimal(text.lower())}\n")


def main():
    classes = ranges(case_class)
    write_header(classes)
    write_test_data(classes)
    return 0


sys.exit(main())
