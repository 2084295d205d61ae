// A table of figures: what every list of this layer becomes for the window, for CSV and for JSON.
//
// Thread: values and pure functions.
#pragma once

#include "base/message.h"
#include "base/result.h"
#include "ir/argument.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gb::numbers {

/// Nothing, a text, a number, a count, yes or no.
using Cell = std::variant<std::monostate, std::string, double, std::int64_t, bool>;

/// The number, or nothing.
Cell numberCell(const std::optional<double>& value);

struct Column {
    std::string id;      ///< key in CSV and JSON: "sqnr_db"
    base::Message title; ///< for people: "SQNR (dB)"
};

struct SheetRow {
    std::vector<Cell> cells;       ///< one a column
    ir::NodeId node = ir::kNoNode; ///< what to select for it
    std::int64_t instance = -1;    ///< the observer that it is about
};

struct Sheet {
    std::string what; ///< "error", "storage", ...
    std::vector<Column> columns;
    std::vector<SheetRow> rows;
    std::vector<base::Message> notes; ///< totals and what a reader should know
};

/// A cell's text with every digit: numbers read back to the same double, nothing is empty, yes is "true".
std::string cellText(const Cell& cell);

/// RFC 4180 with "\n" line ends: a header of ids, then the rows. Notes are left out.
std::string csvText(const Sheet& sheet);
/// {"format": "greenbox-numbers", "version": 1, "what", "columns": [ids], "rows": [{id: value}], "notes": [texts]}, one
/// row a line; a number that is not finite is a text ("inf", "-inf", "nan"), as in dumps.
std::string jsonText(const Sheet& sheet);
/// CSV, or JSON where the path ends in ".json"; the file appears as a whole or not at all. Error: Io.
base::Status writeSheet(const Sheet& sheet, const std::string& path);

} // namespace gb::numbers
