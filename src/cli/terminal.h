// What goes to which stream, and how it looks there. Data on standard output, everything else on
// standard error; colours only on a terminal and never with `NO_COLOR`.
#pragma once

#include <string>
#include <string_view>

#include <goondan/error.h>

#include "cli/exit_codes.h"

namespace goondan::cli {

enum class Stream { Out, Err };
enum class Style { Plain, Bold, Dim, Red, Green, Yellow, Cyan, Blue, Magenta };

// What switches a terminal to `style`; empty for plain.
std::string_view style_code(Style style);

bool is_terminal(Stream stream);
bool use_colour(Stream stream);

// Columns of the terminal behind `stream`; 80 if it is none.
std::size_t terminal_width(Stream stream);

// `text` in `style`, or as it is where colours are off.
std::string styled(std::string_view text, Style style, Stream stream);

// Streams that the caller has closed are opened on nothing: what is opened next would get their
// numbers, and then be read as input or be written over by output. Call it first.
void hold_standard_streams();

void print(std::string_view text);
void print_line(std::string_view text);
void print_error_line(std::string_view text);

// Writes out what is left of standard output. If that fails, or a write failed before, says so and
// turns a good exit code into an error: output that nobody got is no success.
ExitCode finish_output(ExitCode code);

// Like `print_error_line`, but never waits long for a reader that does not read: the line is
// dropped instead. For lines that come while a call runs.
void print_passing_line(std::string_view text);

// `error: <message> [CODE]` and `hint: <suggestion>` on standard error.
void print_error(const Error& error);

// Makes text from tools and files harmless to look at: control characters are shown escaped.
std::string printable(std::string_view text);

}  // namespace goondan::cli
