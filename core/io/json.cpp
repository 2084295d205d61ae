#include "io/json.h"

#include "base/message.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;

/// Builds the document while it checks depth and keys. nlohmann's own builder knows neither limit.
class Builder final : public nlohmann::json_sax<Json> {
public:
    explicit Builder(int maxDepth)
        : m_maxDepth(maxDepth)
    {
    }

    bool null() override { return put(nullptr); }
    bool boolean(bool v) override { return put(v); }
    bool number_integer(number_integer_t v) override { return put(v); }
    bool number_unsigned(number_unsigned_t v) override { return put(v); }
    bool number_float(number_float_t v, const string_t&) override { return put(v); }
    bool string(string_t& v) override { return put(std::move(v)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }

    bool key(string_t& v) override
    {
        m_keys.back() = std::move(v);
        return true;
    }

    bool end_object() override
    {
        std::vector<std::string_view> keys;
        for (const auto& member : m_open.back()->get_ref<const Json::object_t&>())
            keys.push_back(member.first);
        std::ranges::sort(keys);
        if (const auto twice = std::ranges::adjacent_find(keys); twice != keys.end()) {
            m_problem = say("key \"{0}\" given twice, once expected", *twice);
            return false;
        }
        return close();
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) override
    {
        // nlohmann's text: "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..."
        std::string what = e.what();
        if (const std::size_t colon = what.find(": "); colon != std::string::npos)
            what = what.substr(colon + 2);
        m_problem = say("broken JSON at byte {0}: {1}", position, what);
        return false;
    }

    [[nodiscard]] const std::string& problem() const { return m_problem; }
    Json take() { return std::move(m_root); }

private:
    template <class V>
    bool put(V&& value)
    {
        insert(Json(std::forward<V>(value)));
        return true;
    }

    Json* insert(Json value)
    {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        // straight into the vector behind ordered_map: its own emplace looks for the key first (quadratic)
        auto& members = parent.get_ref<Json::object_t&>();
        members.Json::object_t::Container::emplace_back(m_keys.back(), std::move(value));
        return &members.back().second;
    }

    bool open(Json value)
    {
        if (static_cast<int>(m_open.size()) >= m_maxDepth) {
            m_problem = say("JSON nested deeper than {0} levels, at most {0} expected", m_maxDepth);
            return false;
        }
        m_open.push_back(insert(std::move(value)));
        m_keys.emplace_back();
        return true;
    }

    bool close()
    {
        m_open.pop_back();
        m_keys.pop_back();
        return true;
    }

    int m_maxDepth;
    Json m_root;
    std::vector<Json*> m_open; ///< the way to here; a parent does not grow while a child is open
    std::vector<std::string> m_keys;
    std::string m_problem;
};

std::string shortened(std::string text)
{
    constexpr std::size_t kLongest = 60;
    if (text.size() <= kLongest)
        return text;
    text.resize(kLongest);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80)
        text.pop_back();
    return text + "...";
}

std::optional<double> numberFromText(const std::string& text)
{
    if (text == "Infinity" || text == "inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-Infinity" || text == "-inf")
        return -std::numeric_limits<double>::infinity();
    if (text == "NaN" || text == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

} // namespace

Result<Json> parseJson(std::string_view text, const std::string& place, int maxDepth)
{
    try {
        Builder builder(maxDepth);
        if (!Json::sax_parse(text.begin(), text.end(), &builder))
            return Error{ErrorCode::Format, builder.problem(), place};
        return builder.take();
    } catch (const std::exception& e) { // out of memory, or an overflow inside the library
        return Error{ErrorCode::Format, say("JSON that cannot be read: {0}", e.what()), place};
    }
}

std::string dumpJson(const Json& value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json jsonNumber(double value)
{
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

const char* jsonKind(const Json& value)
{
    switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::object: return "object";
    case Json::value_t::array: return "list";
    case Json::value_t::string: return "text";
    case Json::value_t::boolean: return "true or false";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: return "integer";
    case Json::value_t::number_float: return "number";
    default: return "something else";
    }
}

JsonCursor::JsonCursor(const Json& value, std::string place)
    : JsonCursor(value, std::make_shared<const std::string>(std::move(place)), {})
{
}

JsonCursor::JsonCursor(const Json& value, const std::shared_ptr<const std::string>& place, std::string path)
    : m_value(&value)
    , m_place(place)
    , m_path(std::move(path))
{
}

std::string JsonCursor::path() const
{
    return m_path;
}

Error JsonCursor::error(const std::string& sentence, ErrorCode code) const
{
    std::string place = *m_place;
    if (!m_path.empty())
        place += (place.empty() ? "" : ": ") + m_path;
    return {code, sentence, place};
}

Error JsonCursor::unexpected(const std::string& expected) const
{
    const bool big = m_value->is_structured();
    const std::string found = m_value->is_null() ? "null"
                              : big              ? say("{0} of {1}", jsonKind(*m_value), m_value->size())
                                                 : say("{0} {1}", jsonKind(*m_value), shortened(dumpJson(*m_value)));
    return error(say("found {0}, {1} expected", found, expected));
}

Result<JsonCursor> JsonCursor::get(const char* key) const
{
    if (!m_value->is_object())
        return unexpected("object");
    const auto found = m_value->find(key);
    if (found == m_value->end())
        return error(say("no key \"{0}\" found, one expected", key));
    return JsonCursor(*found, m_place, m_path.empty() ? key : m_path + "." + key);
}

std::optional<JsonCursor> JsonCursor::find(const char* key) const
{
    if (!m_value->is_object())
        return std::nullopt;
    const auto found = m_value->find(key);
    if (found == m_value->end() || found->is_null())
        return std::nullopt;
    return JsonCursor(*found, m_place, m_path.empty() ? key : m_path + "." + key);
}

Result<std::vector<JsonCursor>> JsonCursor::items() const
{
    if (!m_value->is_array())
        return unexpected("list");
    std::vector<JsonCursor> out;
    out.reserve(m_value->size());
    for (std::size_t i = 0; i < m_value->size(); ++i)
        out.push_back(JsonCursor((*m_value)[i], m_place, m_path + "[" + std::to_string(i) + "]"));
    return out;
}

Result<std::vector<std::pair<std::string, JsonCursor>>> JsonCursor::members() const
{
    if (!m_value->is_object())
        return unexpected("object");
    std::vector<std::pair<std::string, JsonCursor>> out;
    out.reserve(m_value->size());
    for (const auto& [key, value] : m_value->get_ref<const Json::object_t&>())
        out.emplace_back(key, JsonCursor(value, m_place, m_path.empty() ? key : m_path + "." + key));
    return out;
}

Result<std::pair<std::string, JsonCursor>> JsonCursor::only() const
{
    if (!m_value->is_object() || m_value->size() != 1)
        return unexpected("object of one key");
    const auto& [key, value] = m_value->get_ref<const Json::object_t&>().front();
    return std::pair{key, JsonCursor(value, m_place, m_path.empty() ? key : m_path + "." + key)};
}

Result<std::string> JsonCursor::text() const
{
    if (!m_value->is_string())
        return unexpected("text");
    return m_value->get_ref<const std::string&>();
}

Result<std::int64_t> JsonCursor::integer() const
{
    if (!m_value->is_number_integer())
        return unexpected("integer");
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > kMost)
        return unexpected("integer of 64 bits with sign");
    return m_value->get<std::int64_t>();
}

Result<std::int64_t> JsonCursor::integer(std::int64_t low, std::int64_t high) const
{
    GB_ASSIGN(const std::int64_t value, integer());
    if (value < low || value > high)
        return unexpected(say("integer from {0} to {1}", low, high));
    return value;
}

Result<double> JsonCursor::number() const
{
    if (m_value->is_number())
        return m_value->get<double>();
    if (m_value->is_string())
        if (const auto value = numberFromText(m_value->get_ref<const std::string&>()))
            return *value;
    return unexpected("number");
}

Result<bool> JsonCursor::boolean() const
{
    if (!m_value->is_boolean())
        return unexpected("true or false");
    return m_value->get<bool>();
}

Result<std::string> JsonCursor::text(const char* key) const
{
    GB_ASSIGN(const JsonCursor member, get(key));
    return member.text();
}

Result<std::int64_t> JsonCursor::integer(const char* key) const
{
    GB_ASSIGN(const JsonCursor member, get(key));
    return member.integer();
}

Result<bool> JsonCursor::boolean(const char* key) const
{
    GB_ASSIGN(const JsonCursor member, get(key));
    return member.boolean();
}

base::Status checkFormat(const JsonCursor& at, const char* format, std::int64_t version)
{
    GB_ASSIGN(const JsonCursor formatAt, at.get("format"));
    GB_ASSIGN(const std::string name, formatAt.text());
    if (name != format)
        return formatAt.error(base::say("found \"{0}\", \"{1}\" expected", name, format));
    GB_ASSIGN(const JsonCursor versionAt, at.get("version"));
    GB_ASSIGN(const std::int64_t number, versionAt.integer());
    if (number != version)
        return versionAt.error(base::say("found version {0}, {1} expected", number, version),
                               base::ErrorCode::Unsupported);
    return {};
}

} // namespace gb::io
