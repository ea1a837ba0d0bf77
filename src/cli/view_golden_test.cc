// Observations in, lines out: `tests/data/view/*.jsonl` and what they look like beside them. With
// GDN_UPDATE_GOLDEN=1 the expectations are written anew.
//
// Lines that are no observations: `{"#at": ms}` lets the time pass to that point, `{"#live": true}`
// shows what is redrawn at the bottom at that moment.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "base/json_fields.h"
#include "cli/view_activity.h"
#include "cli/view_log.h"
#include "cli/view_plain.h"
#include "cli/view_width.h"

namespace goondan::cli {
namespace {

namespace fs = std::filesystem;

std::vector<JsonObject> rows_of(const fs::path& file) {
  std::vector<JsonObject> rows;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const Result<Json> row = parse_json(line);
    if (row.ok() && row->is_object()) rows.push_back(row->get_object());
  }
  return rows;
}

std::string plain_text(const std::vector<JsonObject>& rows) {
  PlainLines lines("default");
  std::string out = "== plain\n";
  for (const JsonObject& row : rows) {
    if (row.contains("#at") || row.contains("#live")) continue;
    for (const std::string& line : lines.observe(row))
      out += line + "\n";
  }
  return out;
}

std::string live_text(const std::vector<JsonObject>& rows, std::size_t room) {
  Cast cast("default");
  ViewLog log(cast);
  ViewActivity activity(cast);
  Deadline now{};
  std::string out = "== " + std::to_string(room) + " columns\n";
  const auto add = [&](const std::vector<Line>& lines, const std::string& before) {
    for (const Line& line : lines) {
      const std::string text = render(line, room, Paint::Off);
      EXPECT_LE(columns(text), room) << text;
      EXPECT_EQ(text.find_first_of("\n\r\033"), std::string::npos) << text;
      out += before + text + "\n";
    }
  };
  for (const JsonObject& row : rows) {
    if (const std::optional<std::int64_t> at = integer_field(row, "#at")) {
      now = Deadline{} + std::chrono::milliseconds(*at);
    } else if (row.contains("#live")) {
      out += "        .-----\n";
      add(log.partial(room), "        | ");
      add(activity.lines(now, 5), "        | ");
      out += "        '-----\n";
    } else {
      add(log.observe(row, room), "");
      activity.observe(row, now);
    }
  }
  add(log.reset(room), "");
  return out;
}

class ViewGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(ViewGolden, LooksAsItDid) {
  ::setenv("TZ", "UTC", 1);
  const fs::path file = fs::path(GDN_TEST_DATA) / "view" / (GetParam() + ".jsonl");
  const std::vector<JsonObject> rows = rows_of(file);
  ASSERT_FALSE(rows.empty());
  const std::string got = live_text(rows, 79) + live_text(rows, 39) + plain_text(rows);
  fs::path expected = file;
  expected.replace_extension(".txt");
  if (std::getenv("GDN_UPDATE_GOLDEN") != nullptr) std::ofstream(expected) << got;
  std::ifstream in(expected);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), got);
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(GDN_TEST_DATA) / "view")) {
    if (entry.path().extension() == ".jsonl") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, ViewGolden, ::testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace goondan::cli
