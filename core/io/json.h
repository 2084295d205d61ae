// Reading and writing JSON inside io: a parser with limits, and a cursor whose errors name the place in the text.
//
// Internal to io: the only io header that shows nlohmann-json, so include it from sources (and tests) alone.
// Objects keep their key order. A key given twice is an error, as is nesting deeper than the limit: what a reader
// accepts it has understood. Nothing here throws.
//
// Thread: pure functions and values; a JsonCursor is valid as long as the Json that it looks into.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gb::io {

using Json = nlohmann::ordered_json;

constexpr int kJsonMaxDepth = 200;

/// Parses one JSON value and nothing after it. Errors (Format) have `place` and the byte at which it went wrong.
base::Result<Json> parseJson(std::string_view text, const std::string& place, int maxDepth = kJsonMaxDepth);

/// One line of text; floats are the shortest digits that read back to the same double, so equal values give equal
/// bytes. Invalid UTF-8 in a text becomes U+FFFD.
std::string dumpJson(const Json& value);
/// A finite number as itself, the others as "inf", "-inf", "nan" (formats.md, section 3).
Json jsonNumber(double value);

/// "text", "object", "list", "integer", "number", "true or false", "null"
const char* jsonKind(const Json& value);

/// A value inside a document, with the way to it ("graph.nodes[3].target").
class JsonCursor {
public:
    /// `place` is the file (and entry) that all errors start with.
    JsonCursor(const Json& value, std::string place);

    [[nodiscard]] const Json& json() const { return *m_value; }
    [[nodiscard]] std::string path() const;
    [[nodiscard]] bool isNull() const { return m_value->is_null(); }

    /// The member of an object; error when this is no object or has no such key (Format).
    [[nodiscard]] base::Result<JsonCursor> get(const char* key) const;
    /// The member, or nothing where the key is absent or null. Not an error when this is no object: nothing.
    [[nodiscard]] std::optional<JsonCursor> find(const char* key) const;
    /// The elements of a list, in order.
    [[nodiscard]] base::Result<std::vector<JsonCursor>> items() const;
    /// Keys and values of an object, in order.
    [[nodiscard]] base::Result<std::vector<std::pair<std::string, JsonCursor>>> members() const;
    /// The only key and its value: how the schema writes a union. Error when there is not exactly one.
    [[nodiscard]] base::Result<std::pair<std::string, JsonCursor>> only() const;

    [[nodiscard]] base::Result<std::string> text() const;
    [[nodiscard]] base::Result<std::int64_t> integer() const;
    /// An integer within [low, high].
    [[nodiscard]] base::Result<std::int64_t> integer(std::int64_t low, std::int64_t high) const;
    /// Integer or float; also the texts "Infinity" "-Infinity" "NaN" (torch) and "inf" "-inf" "nan" (dumps).
    [[nodiscard]] base::Result<double> number() const;
    [[nodiscard]] base::Result<bool> boolean() const;

    /// get(key) and text(), integer(), ... in one.
    [[nodiscard]] base::Result<std::string> text(const char* key) const;
    [[nodiscard]] base::Result<std::int64_t> integer(const char* key) const;
    [[nodiscard]] base::Result<bool> boolean(const char* key) const;

    /// "PLACE: PATH: sentence"
    [[nodiscard]] base::Error error(const std::string& sentence, base::ErrorCode code = base::ErrorCode::Format) const;
    /// "found KIND VALUE, EXPECTED expected"
    [[nodiscard]] base::Error unexpected(const std::string& expected) const;

private:
    JsonCursor(const Json& value, const std::shared_ptr<const std::string>& place, std::string path);

    const Json* m_value;
    std::shared_ptr<const std::string> m_place;
    std::string m_path;
};

/// That an object's "format" and "version" are those of a reader. Errors: Format (another format), Unsupported (another
/// version).
base::Status checkFormat(const JsonCursor& at, const char* format, std::int64_t version);

} // namespace gb::io
