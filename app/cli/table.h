// Rows as aligned columns of text.
//
// Thread: a value.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace gb::cli {

class Table {
public:
    explicit Table(std::vector<std::string> header) { m_rows.push_back(std::move(header)); }
    void add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }
    /// Columns are as wide as their widest cell (UTF-8 characters), two spaces apart; no space at a line's end.
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace gb::cli
