#include "numbers/storage.h"

#include <algorithm>
#include <map>

namespace gb::numbers {
namespace {

using base::message;

/// Attribute of a fold -> the attributes that it was made of, by graph path.
using Folds = std::map<std::pair<std::string, std::string>, std::string>;

base::Result<Folds> foldsOf(const trace::RecordingPtr& recording, trace::Replay& replay)
{
    Folds out;
    const auto& events = recording->events;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const trace::Event& e = events[i];
        if (e.kind != trace::EventKind::Fold)
            continue;
        GB_ASSIGN(const trace::MomentPtr before, replay.at(static_cast<int>(i) - 1));
        const auto graph = before->graphs.find(e.graph);
        std::string from;
        for (std::size_t n = 2; graph != before->graphs.end() && n < e.nodes.size(); ++n)
            if (const ir::Node* source = graph->second->graph->find(e.nodes[n]))
                from += (from.empty() ? "" : ", ") + source->target();
        out[{e.graph, e.text("attribute")}] = from;
    }
    return out;
}

std::vector<StoredTensor> tensorsOf(const trace::Moment& moment, const Folds& folds)
{
    std::vector<StoredTensor> out;
    for (const auto& [path, graph] : moment.graphs)
        for (const auto& [name, attribute] : graph->attributes) {
            StoredTensor row;
            row.name = path.empty() ? name : path + "." + name;
            row.dtype = attribute.dtype;
            row.shape = attribute.shape;
            row.bytes = static_cast<std::int64_t>(ir::itemSize(attribute.dtype));
            for (const std::int64_t size : attribute.shape)
                row.bytes *= size;
            if (const auto fold = folds.find({path, name}); fold != folds.end())
                row.foldedFrom = fold->second;
            for (const ir::Node* node = graph->graph->first(); node; node = node->next()) {
                if (node->op() != ir::Op::GetAttr || node->target() != name)
                    continue;
                row.node = row.node == ir::kNoNode ? node->id() : row.node;
                for (const ir::Node* user : node->users())
                    row.users.push_back(user->name());
            }
            out.push_back(std::move(row));
        }
    return out;
}

std::int64_t bytesRead(const std::vector<StoredTensor>& tensors)
{
    std::int64_t out = 0;
    for (const StoredTensor& tensor : tensors)
        out += tensor.users.empty() ? 0 : tensor.bytes;
    return out;
}

std::string joined(const std::vector<std::string>& names)
{
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

SheetRow rowOf(const StoredTensor& tensor, const char* when)
{
    return {{tensor.name, std::string(when), std::string(ir::name(tensor.dtype)), ir::toText(tensor.shape),
             tensor.bytes, joined(tensor.users), tensor.foldedFrom},
            tensor.node};
}

} // namespace

base::Result<Storage> storageOf(const trace::RecordingPtr& recording)
{
    Storage out;
    const std::vector<std::string> stages = recording->stages();
    if (stages.empty())
        return out;
    trace::Replay replay(recording);
    GB_ASSIGN(const trace::MomentPtr first, replay.at(recording->stageEvent(stages.front())));
    out.before = tensorsOf(*first, {});
    out.bytesBefore = bytesRead(out.before);
    out.stage = stages.back();
    GB_ASSIGN(const Folds folds, foldsOf(recording, replay));
    GB_ASSIGN(const trace::MomentPtr last, replay.at(recording->stageEvent(stages.back())));
    out.after = tensorsOf(*last, folds);
    out.bytesAfter = bytesRead(out.after);
    return out;
}

Sheet storageSheet(const Storage& storage)
{
    Sheet sheet;
    sheet.what = "storage";
    sheet.columns = {{"tensor", message("tensor")},      {"when", message("there")},  {"dtype", message("dtype")},
                     {"shape", message("shape")},        {"bytes", message("bytes")}, {"users", message("read by")},
                     {"folded_from", message("made of")}};
    const auto has = [](const std::vector<StoredTensor>& tensors, const std::string& name) {
        return std::ranges::find(tensors, name, &StoredTensor::name) != tensors.end();
    };
    std::int64_t unread = 0;
    for (const StoredTensor& tensor : storage.after) {
        sheet.rows.push_back(rowOf(tensor, has(storage.before, tensor.name) ? "before and after" : "after"));
        unread += tensor.users.empty() ? tensor.bytes : 0;
    }
    for (const StoredTensor& tensor : storage.before)
        if (!has(storage.after, tensor.name))
            sheet.rows.push_back(rowOf(tensor, "before"));
    sheet.notes.push_back(message("the exported graph reads {0} bytes, the {1} one {2}",
                                  base::grouped(storage.bytesBefore), storage.stage,
                                  base::grouped(storage.bytesAfter)));
    if (unread > 0)
        sheet.notes.push_back(message("{0} bytes more are kept and read by nobody, as torch keeps attributes whose "
                                      "name has a dot",
                                      base::grouped(unread)));
    return sheet;
}

} // namespace gb::numbers
