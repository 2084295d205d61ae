#include "io/recording.h"

#include "base/message.h"
#include "io/file.h"
#include "io/recording_edits.h"
#include "trace/replay.h"

#include <limits>
#include <map>

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;
using trace::Event;
using trace::EventKind;

constexpr const char* kFormat = "greenbox-recording";
constexpr int kVersion = 1;

Result<trace::Header> readHeader(const JsonCursor& at)
{
    trace::Header out;
    GB_TRY(checkFormat(at, kFormat, kVersion));
    GB_ASSIGN(const JsonCursor producer, at.get("producer"));
    GB_ASSIGN(out.producer, producer.text("name"));
    GB_ASSIGN(out.producerVersion, producer.text("version"));
    GB_ASSIGN(out.torchVersion, producer.text("torch"));
    GB_ASSIGN(out.model, at.text("model"));
    GB_ASSIGN(const JsonCursor mode, at.get("mode"));
    GB_ASSIGN(out.mode, mode.text());
    if (out.mode != "ptq" && out.mode != "qat")
        return mode.unexpected("ptq or qat");
    GB_ASSIGN(const JsonCursor recipe, at.get("recipe"));
    out.recipe = dumpJson(recipe.json());
    const auto options = at.find("options");
    if (!options)
        return out;
    if (const auto calibrate = options->find("calibrate")) {
        out.calibrateGiven = true;
        GB_ASSIGN(const auto items, calibrate->items());
        for (const JsonCursor& item : items) {
            GB_ASSIGN(const std::int64_t position, item.integer());
            out.calibrate.push_back(position);
        }
    }
    if (const auto fold = options->find("fold_quantize")) {
        GB_ASSIGN(out.foldQuantize, fold->boolean());
    }
    return out;
}

/// Reads line after line; events that are skipped get no number of ours, so numbers in the file are put over.
class Reader {
public:
    explicit Reader(std::string place)
        : m_place(std::move(place))
        , m_recording(std::make_shared<trace::Recording>())
    {
    }

    Status line(std::string_view text)
    {
        ++m_line;
        if (text.find_first_not_of(" \t\r") == std::string_view::npos)
            return {};
        const std::string place = say("{0}: line {1}", m_place, m_line);
        if (m_ended)
            return Error{ErrorCode::Format, "found a line after the end, none expected", place};
        GB_ASSIGN(const Json json, parseJson(text, place));
        const JsonCursor at(json, place);
        if (!m_headed) {
            m_headed = true;
            GB_ASSIGN(m_recording->header, readHeader(at));
            return {};
        }
        if (json.is_object() && json.contains("end"))
            return end(at);
        return event(at);
    }

    Result<ReadRecording> finish()
    {
        if (!m_headed)
            return Error{ErrorCode::Format, "found an empty file, a recording expected", m_place};
        GB_TRY(placeEvents());
        for (const auto& [kind, count] : m_unknown)
            m_notes.push_back(
                say("event kind \"{0}\" is not known to this version: {1} left out, the first in line {2}", kind,
                    count.second, count.first));
        if (!m_ended)
            m_notes.push_back(say("the recording has no end line: it was cut off after line {0}", m_line));
        trace::Replay replay(m_recording);
        if (const auto last = replay.at(static_cast<int>(m_recording->events.size()) - 1); !last)
            return last.error().in(m_place);
        return ReadRecording{std::move(m_recording), std::move(m_notes)};
    }

private:
    /// Where an event of the file stands in ours.
    struct Numbered {
        int parent = -1; ///< the file's number
        int last = -1;   ///< the file's number
        int ours = -1;   ///< -1: left out
        int line = 0;
    };

    Status event(const JsonCursor& at)
    {
        const int number = static_cast<int>(m_numbers.size());
        GB_ASSIGN(const std::string kindName, at.text("event"));
        Event out;
        const auto kind = trace::eventKindFromName(kindName);
        GB_TRY(readScope(at, number));
        GB_TRY(readEffects(at, out));
        if (kind) {
            out.kind = *kind;
            GB_TRY(readWords(at, out));
        } else {
            auto& seen = m_unknown.try_emplace(kindName, m_line, 0).first->second;
            ++seen.second;
            if (out.edits.empty() && !out.record)
                return {};
            out.kind = EventKind::Note;
            out.name = kindName;
            out.sentence = base::message("an event of the kind {0}, which this version does not know", kindName);
        }
        m_numbers.back().ours = static_cast<int>(m_recording->events.size());
        m_recording->events.push_back(std::move(out));
        return {};
    }

    Status readScope(const JsonCursor& at, int number)
    {
        Numbered scope{-1, number, -1, m_line};
        if (const auto parent = at.find("parent")) {
            GB_ASSIGN(const std::int64_t value, parent->integer());
            if (value < 0 || value >= number)
                return parent->error(say("event {0}, an event before this one ({1}) expected", value, number));
            scope.parent = static_cast<int>(value);
        }
        if (const auto last = at.find("last")) {
            GB_ASSIGN(const std::int64_t value, last->integer(number, std::numeric_limits<int>::max()));
            scope.last = static_cast<int>(value);
        }
        m_numbers.push_back(scope);
        return {};
    }

    Status readWords(const JsonCursor& at, Event& out)
    {
        if (const auto name = at.find("name")) {
            GB_ASSIGN(out.name, name->text());
        }
        if (const auto sentence = at.find("say")) {
            GB_ASSIGN(const auto items, sentence->items());
            for (std::size_t i = 0; i < items.size(); ++i) {
                GB_ASSIGN(std::string text, items[i].text());
                if (i == 0)
                    out.sentence.pattern = std::move(text);
                else
                    out.sentence.arguments.push_back(std::move(text));
            }
        }
        if (const auto graph = at.find("graph")) {
            GB_ASSIGN(out.graph, graph->text());
        }
        if (const auto nodes = at.find("nodes")) {
            GB_ASSIGN(const auto items, nodes->items());
            for (const JsonCursor& item : items) {
                GB_ASSIGN(const ir::NodeId id, ValueReader::node(item));
                out.nodes.push_back(id);
            }
        }
        if (const auto fields = at.find("fields")) {
            GB_ASSIGN(out.fields, m_values.named(*fields));
        }
        if (const auto source = at.find("source")) {
            GB_ASSIGN(out.source.file, source->text("file"));
            GB_ASSIGN(const JsonCursor line, source->get("line"));
            GB_ASSIGN(const std::int64_t number, line.integer(0, std::numeric_limits<int>::max()));
            out.source.line = static_cast<int>(number);
        }
        return {};
    }

    Status readEffects(const JsonCursor& at, Event& out)
    {
        if (const auto edits = at.find("edits")) {
            GB_ASSIGN(const auto items, edits->items());
            for (const JsonCursor& item : items) {
                GB_ASSIGN(trace::Edit edit, readEdit(item, m_values));
                out.edits.push_back(std::move(edit));
            }
        }
        if (const auto record = at.find("record")) {
            GB_ASSIGN(out.record, m_values.record(*record));
        }
        return {};
    }

    Status end(const JsonCursor& at)
    {
        m_ended = true;
        GB_ASSIGN(const JsonCursor end, at.get("end"));
        GB_ASSIGN(const JsonCursor events, end.get("events"));
        GB_ASSIGN(const std::int64_t count, events.integer());
        if (count != static_cast<std::int64_t>(m_numbers.size()))
            return events.error(say("{0} events, but the file has {1}", count, m_numbers.size()));
        if (const auto failure = end.find("failure")) {
            trace::Failure out;
            GB_ASSIGN(out.type, failure->text("type"));
            GB_ASSIGN(out.message, failure->text("message"));
            m_recording->failure = std::move(out);
        }
        return {};
    }

    /// Our parent and last of each event, from the file's numbers.
    Status placeEvents()
    {
        std::vector<int> before(m_numbers.size() + 1, 0); // how many of ours stand before the file's number
        for (std::size_t i = 0; i < m_numbers.size(); ++i)
            before[i + 1] = before[i] + (m_numbers[i].ours >= 0 ? 1 : 0);
        for (Numbered& n : m_numbers) {
            if (n.last >= static_cast<int>(m_numbers.size())) {
                if (m_ended)
                    return Error{ErrorCode::Format,
                                 say("event {0}, at most {1} expected", n.last, m_numbers.size() - 1),
                                 say("{0}: line {1}: last", m_place, n.line)};
                n.last = static_cast<int>(m_numbers.size()) - 1;
            }
            if (n.ours < 0)
                continue;
            Event& event = m_recording->events[static_cast<std::size_t>(n.ours)];
            int parent = n.parent;
            while (parent >= 0 && m_numbers[static_cast<std::size_t>(parent)].ours < 0)
                parent = m_numbers[static_cast<std::size_t>(parent)].parent;
            event.parent = parent < 0 ? -1 : m_numbers[static_cast<std::size_t>(parent)].ours;
            event.last = before[static_cast<std::size_t>(n.last) + 1] - 1;
        }
        return {};
    }

    std::string m_place;
    std::shared_ptr<trace::Recording> m_recording;
    ValueReader m_values;
    std::vector<Numbered> m_numbers;                      ///< by the file's event number
    std::map<std::string, std::pair<int, int>> m_unknown; ///< kind -> first line, count
    std::vector<std::string> m_notes;
    int m_line = 0;
    bool m_headed = false;
    bool m_ended = false;
};

} // namespace

Result<ReadRecording> parseRecording(std::string_view text, const std::string& place)
{
    Reader reader(place);
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        GB_TRY(reader.line(text.substr(0, end)));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return reader.finish();
}

Result<ReadRecording> readRecording(const std::string& path)
{
    GB_ASSIGN(const Bytes file, mapFile(path));
    return parseRecording(file.text(), path);
}

} // namespace gb::io
