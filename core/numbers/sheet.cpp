#include "numbers/sheet.h"

#include "io/file.h"

#include <array>
#include <charconv>
#include <cmath>

namespace gb::numbers {
namespace {

std::string numberText(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string quotedForCsv(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

std::string quotedForJson(const std::string& text)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (code < 0x20)
            out += std::string("\\u00") + kHex[code >> 4U] + kHex[code & 15U];
        else
            out += c;
    }
    return out + '"';
}

std::string jsonOf(const Cell& cell)
{
    if (std::holds_alternative<std::monostate>(cell))
        return "null";
    const auto* number = std::get_if<double>(&cell);
    const bool plain = !std::holds_alternative<std::string>(cell) && !(number && !std::isfinite(*number));
    return plain ? cellText(cell) : quotedForJson(cellText(cell));
}

std::string list(const std::vector<std::string>& items)
{
    std::string out = "[";
    for (std::size_t i = 0; i < items.size(); ++i)
        out += (i ? ", " : "") + quotedForJson(items[i]);
    return out + "]";
}

} // namespace

Cell numberCell(const std::optional<double>& value)
{
    return value ? Cell(*value) : Cell();
}

std::string cellText(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* number = std::get_if<double>(&cell))
        return numberText(*number);
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return std::to_string(*count);
    if (const auto* flag = std::get_if<bool>(&cell))
        return *flag ? "true" : "false";
    return {};
}

std::string csvText(const Sheet& sheet)
{
    std::string out;
    for (std::size_t c = 0; c < sheet.columns.size(); ++c)
        out += (c ? "," : "") + quotedForCsv(sheet.columns[c].id);
    out += '\n';
    for (const SheetRow& row : sheet.rows) {
        for (std::size_t c = 0; c < row.cells.size(); ++c)
            out += (c ? "," : "") + quotedForCsv(cellText(row.cells[c]));
        out += '\n';
    }
    return out;
}

std::string jsonText(const Sheet& sheet)
{
    std::vector<std::string> ids;
    for (const Column& column : sheet.columns)
        ids.push_back(column.id);
    std::vector<std::string> notes;
    for (const base::Message& note : sheet.notes)
        notes.push_back(note.text());
    std::string out = "{\"format\": \"greenbox-numbers\", \"version\": 1, \"what\": " + quotedForJson(sheet.what)
                      + ",\n \"columns\": " + list(ids) + ",\n \"rows\": [";
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
        out += r ? ",\n  {" : "\n  {";
        for (std::size_t c = 0; c < ids.size(); ++c)
            out += (c ? ", " : "") + quotedForJson(ids[c]) + ": " + jsonOf(sheet.rows[r].cells[c]);
        out += '}';
    }
    return out + "],\n \"notes\": " + list(notes) + "}\n";
}

base::Status writeSheet(const Sheet& sheet, const std::string& path)
{
    const bool json = path.size() > 5 && path.ends_with(".json");
    return io::writeFile(path, json ? jsonText(sheet) : csvText(sheet));
}

} // namespace gb::numbers
