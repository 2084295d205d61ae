#include "io/dump.h"

#include "base/message.h"
#include "io/dump_document.h"
#include "io/dump_graph.h"
#include "io/file.h"
#include "trace/replay.h"

namespace gb::io {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using base::Status;

constexpr const char* kFormat = "greenbox-dump";
constexpr int kVersion = 1;

/// Prepare calls the quantizer once for the whole graph and once more for each body that it enters: such a later stage
/// takes the sub-graph's place in the stage of the same name (`path` is its dotted way from the top).
void putInto(Json& stage, const std::string& path, Json graph)
{
    Json* at = &stage;
    std::string rest = path;
    while (true) {
        const auto subgraphs = at->find("subgraphs");
        if (subgraphs == at->end())
            return;
        // targets may have dots themselves: the longest one that the way begins with
        std::string taken;
        for (const auto& [target, unused] : subgraphs->get_ref<const Json::object_t&>())
            if ((rest == target || rest.starts_with(target + ".")) && target.size() > taken.size())
                taken = target;
        if (taken.empty())
            return;
        if (rest == taken) {
            (*subgraphs)[taken] = std::move(graph);
            return;
        }
        rest = rest.substr(taken.size() + 1);
        at = &(*subgraphs)[taken];
    }
}

Result<Json> stageJson(const trace::Moment& moment, const std::string& name, const std::string& path)
{
    if (name == "calibrated")
        return calibratedJson(moment, path);
    GB_ASSIGN(Json out, graphJson(moment, path, name == "prepared"));
    if (name == "converted")
        out["tensors"] = tensorsJson(moment);
    return out;
}

Result<Json> stagesJson(const trace::RecordingPtr& recording)
{
    Json out = Json::object();
    trace::Replay replay(recording);
    for (std::size_t i = 0; i < recording->events.size(); ++i) {
        const trace::Event& event = recording->events[i];
        if (event.kind != trace::EventKind::Stage || (event.graph.empty() && out.contains(event.name)))
            continue;
        GB_ASSIGN(const trace::MomentPtr moment, replay.at(static_cast<int>(i)));
        GB_ASSIGN(Json stage, stageJson(*moment, event.name, event.graph));
        if (event.graph.empty())
            out[event.name] = std::move(stage);
        else if (out.contains(event.name))
            putInto(out[event.name], event.graph, std::move(stage));
    }
    return out;
}

Json optionsJson(const trace::Header& header)
{
    Json out = Json::object();
    if (header.calibrateGiven)
        out["calibrate"] = header.calibrate;
    if (!header.foldQuantize)
        out["fold_quantize"] = false;
    return out;
}

Result<Json> dumpJsonOf(const trace::RecordingPtr& recording)
{
    const trace::Header& header = recording->header;
    Json out = {{"format", kFormat}, {"version", kVersion}};
    // "2.14.1+cu130": which build of torch it was says nothing about the graph
    out["producer"] = {{"name", header.producer},
                       {"version", header.producerVersion},
                       {"torch", header.torchVersion.substr(0, header.torchVersion.find('+'))}};
    out["model"] = header.model;
    out["mode"] = header.mode;
    GB_ASSIGN(out["recipe"], parseJson(header.recipe, "recipe of the recording"));
    GB_ASSIGN(out["stages"], stagesJson(recording));
    if (Json options = optionsJson(header); !options.empty())
        out["options"] = std::move(options);
    out["error"] = nullptr;
    if (recording->failure)
        out["error"] = {{"type", recording->failure->type}, {"message", recording->failure->message}};
    return out;
}

// -- reading --------------------------------------------------------------------------------------

Status checkGraph(const JsonCursor& at)
{
    if (const auto nodes = at.find("nodes")) {
        GB_ASSIGN(const auto items, nodes->items());
        for (const JsonCursor& node : items)
            GB_TRY(node.text("name"));
    }
    for (const char* key : {"observers", "tensors"})
        if (const auto rows = at.find(key))
            GB_TRY(rows->members());
    if (const auto subgraphs = at.find("subgraphs")) {
        GB_ASSIGN(const auto members, subgraphs->members());
        for (const auto& [target, graph] : members)
            GB_TRY(checkGraph(graph));
    }
    return {};
}

Status checkDump(const JsonCursor& at)
{
    GB_TRY(checkFormat(at, kFormat, kVersion));
    GB_ASSIGN(const JsonCursor stages, at.get("stages"));
    GB_ASSIGN(const auto members, stages.members());
    for (const auto& [stage, graph] : members) {
        GB_TRY(graph.members());
        GB_TRY(checkGraph(graph));
    }
    if (const auto error = at.find("error"))
        GB_TRY(error->text("type"));
    return {};
}

} // namespace

Result<std::string> dumpText(const trace::RecordingPtr& recording)
{
    GB_ASSIGN(const Json json, dumpJsonOf(recording));
    return dumpJson(json) + "\n";
}

Status writeDump(const trace::RecordingPtr& recording, const std::string& path)
{
    GB_ASSIGN(const std::string text, dumpText(recording));
    return writeFile(path, text);
}

Result<Dump> parseDump(std::string_view text, const std::string& place)
{
    auto document = std::make_shared<DumpDocument>();
    GB_ASSIGN(document->json, parseJson(text, place));
    GB_TRY(checkDump(JsonCursor(document->json, place)));
    return Dump{place, std::move(document)};
}

Result<Dump> readDump(const std::string& path)
{
    GB_ASSIGN(const Bytes file, mapFile(path));
    return parseDump(file.text(), path);
}

} // namespace gb::io
