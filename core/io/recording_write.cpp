#include "io/file.h"
#include "io/recording.h"
#include "io/recording_edits.h"

#include <functional>

namespace gb::io {
namespace {

using base::Result;
using base::Status;

Result<Json> headerJson(const trace::Header& header)
{
    Json out = {{"format", "greenbox-recording"}, {"version", 1}};
    out["producer"] = {{"name", header.producer}, {"version", header.producerVersion}, {"torch", header.torchVersion}};
    out["model"] = header.model;
    out["mode"] = header.mode;
    GB_ASSIGN(out["recipe"], parseJson(header.recipe, "recipe of the recording"));
    Json options = Json::object();
    if (header.calibrateGiven)
        options["calibrate"] = header.calibrate;
    if (!header.foldQuantize)
        options["fold_quantize"] = false;
    if (!options.empty())
        out["options"] = std::move(options);
    return out;
}

Json eventJson(const trace::Event& event, int index, ValueWriter& values)
{
    Json out = Json::object();
    out["event"] = trace::name(event.kind);
    if (event.parent >= 0)
        out["parent"] = event.parent;
    if (event.last != index)
        out["last"] = event.last;
    if (!event.name.empty())
        out["name"] = event.name;
    if (!event.sentence.empty()) {
        Json say = Json::array({event.sentence.pattern});
        for (const std::string& argument : event.sentence.arguments)
            say.push_back(argument);
        out["say"] = std::move(say);
    }
    if (!event.graph.empty())
        out["graph"] = event.graph;
    if (!event.nodes.empty())
        out["nodes"] = event.nodes;
    if (!event.fields.empty())
        out["fields"] = values.named(event.fields);
    if (!event.source.file.empty())
        out["source"] = {{"file", event.source.file}, {"line", event.source.line}};
    for (const trace::Edit& edit : event.edits)
        out["edits"].push_back(editJson(edit, values));
    if (event.record)
        out["record"] = values.record(*event.record);
    return out;
}

Json endJson(const trace::Recording& recording)
{
    Json end = Json::object();
    end["events"] = recording.events.size();
    end["failure"] = nullptr;
    if (recording.failure)
        end["failure"] = {{"type", recording.failure->type}, {"message", recording.failure->message}};
    Json out = Json::object();
    out["end"] = std::move(end);
    return out;
}

Status writeLines(const trace::Recording& recording, const std::function<Status(const Json&)>& write)
{
    GB_ASSIGN(const Json header, headerJson(recording.header));
    GB_TRY(write(header));
    ValueWriter values;
    for (std::size_t i = 0; i < recording.events.size(); ++i)
        GB_TRY(write(eventJson(recording.events[i], static_cast<int>(i), values)));
    return write(endJson(recording));
}

} // namespace

Result<std::string> recordingText(const trace::Recording& recording)
{
    std::string out;
    GB_TRY(writeLines(recording, [&out](const Json& line) {
        out += dumpJson(line);
        out += '\n';
        return Status();
    }));
    return out;
}

Status writeRecording(const trace::Recording& recording, const std::string& path)
{
    constexpr std::size_t kBlock = std::size_t{1} << 18;
    GB_ASSIGN(const std::unique_ptr<AtomicFile> file, AtomicFile::create(path));
    std::string block;
    GB_TRY(writeLines(recording, [&](const Json& line) {
        block += dumpJson(line);
        block += '\n';
        if (block.size() < kBlock)
            return Status();
        Status written = file->write(block);
        block.clear();
        return written;
    }));
    GB_TRY(file->write(block));
    return file->commit();
}

} // namespace gb::io
