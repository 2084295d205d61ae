#include "dump_compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace gb::test {
namespace {

using Sentences = std::vector<std::string>;

constexpr double kRelative = 2e-5; // of a scale, as compare.py

bool isClose(const Json& a, const Json& b, double relative)
{
    if (a.is_boolean() || b.is_boolean() || !a.is_number() || !b.is_number())
        return a == b;
    const double x = a.get<double>();
    const double y = b.get<double>();
    return x == y || std::fabs(x - y) <= std::max(relative * std::max(std::fabs(x), std::fabs(y)), 1e-12);
}

void differences(const Json& a, const Json& b, const std::string& where, double relative, Sentences& out)
{
    if (a.is_object() && b.is_object()) {
        for (const auto& [key, value] : a.items())
            if (!b.contains(key))
                out.push_back(where + "." + key + ": not in torchao");
        for (const auto& [key, value] : b.items()) {
            if (!a.contains(key))
                out.push_back(where + "." + key + ": missing");
            else
                differences(a.at(key), value, where + "." + key, relative, out);
        }
        return;
    }
    if (a.is_array() && b.is_array()) {
        if (a.size() != b.size()) {
            out.push_back(where + ": " + std::to_string(a.size()) + " entries, torchao has "
                          + std::to_string(b.size()));
            return;
        }
        for (std::size_t i = 0; i < a.size(); ++i)
            differences(a[i], b[i], where + "[" + std::to_string(i) + "]", relative, out);
        return;
    }
    if (!isClose(a, b, relative))
        out.push_back(where + ": " + a.dump() + ", torchao has " + b.dump());
}

void graphDifferences(const Json& mine, const Json& theirs, const std::string& stage, double relative, Sentences& out)
{
    std::map<std::string, const Json*> byName;
    std::vector<std::string> order;
    std::vector<std::string> theirOrder;
    for (const Json& node : mine.at("nodes")) {
        order.push_back(node.at("name"));
        byName[order.back()] = &node;
    }
    const std::size_t before = out.size();
    for (const Json& node : theirs.at("nodes")) {
        const auto name = node.at("name").get<std::string>();
        theirOrder.push_back(name);
        const auto found = byName.find(name);
        if (found == byName.end())
            out.push_back(stage + ": no node " + name);
        else
            differences(*found->second, node, stage + "." + name, relative, out);
    }
    for (const std::string& name : order)
        if (std::ranges::find(theirOrder, name) == theirOrder.end())
            out.push_back(stage + ": extra node " + name);
    if (out.size() == before && order != theirOrder)
        out.push_back(stage + ": the same nodes in another order");
}

void calibratedDifferences(const Json& mine, const Json& theirs, Sentences& out)
{
    for (const auto& [name, row] : theirs.at("observers").items()) {
        if (!mine.at("observers").contains(name)) {
            out.push_back("calibrated: no observer " + name);
            continue;
        }
        const Json& got = mine.at("observers").at(name);
        for (const char* key : {"scale", "zero_point", "no_qparams"}) {
            const std::string where = "calibrated." + name + "." + key;
            if (row.contains(key) != got.contains(key))
                out.push_back(where + (row.contains(key) ? ": missing" : ": not in torchao"));
            else if (row.contains(key) && std::strcmp(key, "no_qparams") != 0)
                differences(got.at(key), row.at(key), where, kRelative, out);
        }
    }
}

void stageDifferences(const Json& mine, const Json& theirs, const std::string& stage, Sentences& out)
{
    if (stage == "calibrated") {
        calibratedDifferences(mine, theirs, out);
    } else {
        graphDifferences(mine, theirs, stage, stage == "converted" ? kRelative : 0.0, out);
        if (theirs.contains("observers"))
            differences(mine.value("observers", Json::object()), theirs.at("observers"), stage + ".observers", 0.0,
                        out);
    }
    const Json a = mine.value("subgraphs", Json::object());
    const Json b = theirs.value("subgraphs", Json::object());
    for (const auto& [name, sub] : a.items())
        if (!b.contains(name))
            out.push_back(stage + ": sub-graph " + name + " not in torchao");
    for (const auto& [name, sub] : b.items()) {
        if (a.contains(name))
            stageDifferences(a.at(name), sub, stage, out);
        else
            out.push_back(stage + ": sub-graph " + name + " missing");
    }
}

std::string errorType(const Json& dump)
{
    const Json error = dump.value("error", Json());
    return error.is_null() ? std::string() : error.at("type").get<std::string>();
}

const ir::Tensor* find(const std::vector<std::pair<std::string, ir::Tensor>>& tensors, const std::string& name)
{
    for (const auto& [key, tensor] : tensors)
        if (key == name)
            return &tensor;
    return nullptr;
}

Json storedTensors(const Json& stages, Tensors what)
{
    Json out = stages.at("converted").at("tensors");
    for (auto& [name, row] : out.items())
        if (what == Tensors::DTypeAndShape)
            row.erase("sha256");
    return out;
}

/// Name, target and args of the nodes of a stage: whether a fold or a transform touched the graph.
Json shapeOf(const Json& dump, const char* stage)
{
    Json out = Json::array();
    for (const Json& node : dump.at("stages").at(stage).at("nodes"))
        out.push_back({node.at("name"), node.at("target"), node.at("args")});
    return out;
}

double largest(const std::vector<double>& values)
{
    double out = 0.0;
    for (const double v : values)
        out = std::max(out, std::isnan(v) ? 0.0 : std::fabs(v));
    return out;
}

} // namespace

std::vector<std::string> dumpDifferences(const Json& mine, const Json& theirs, Tensors tensors)
{
    Sentences out;
    if (errorType(mine) != errorType(theirs))
        out.push_back("error: " + mine.value("error", Json()).dump() + ", torchao has "
                      + theirs.value("error", Json()).dump());
    const Json& a = mine.at("stages");
    const Json& b = theirs.at("stages");
    for (const auto& [stage, graph] : b.items()) {
        if (a.contains(stage))
            stageDifferences(a.at(stage), graph, stage, out);
        else
            out.push_back(stage + ": missing");
    }
    if (a.contains("converted") && b.contains("converted"))
        differences(storedTensors(a, tensors), storedTensors(b, tensors), "tensors", 0.0, out);
    return out;
}

std::vector<std::string> outputDifferences(const std::vector<std::pair<std::string, ir::Tensor>>& mine,
                                           const std::vector<std::pair<std::string, ir::Tensor>>& theirs,
                                           const Json& dump)
{
    Sentences out;
    for (const auto& [name, tensor] : theirs) {
        const ir::Tensor* got = find(mine, name);
        if (!got) {
            if (!name.starts_with("prepared"))
                out.push_back("outputs: no " + name);
            continue;
        }
        if (got->shape() != tensor.shape()) {
            out.push_back("outputs: " + name + " is " + ir::describe(*got) + ", torchao has " + ir::describe(tensor));
            continue;
        }
        std::vector<double> gaps = got->toDoubles();
        const std::vector<double> wanted = tensor.toDoubles();
        for (std::size_t i = 0; i < gaps.size(); ++i)
            gaps[i] = gaps[i] == wanted[i] ? 0.0 : gaps[i] - wanted[i];
        const double limit = (name.starts_with("float") ? 1e-4 : 2e-2) * std::max(1.0, largest(wanted));
        if (const double gap = largest(gaps); !(gap <= limit))
            out.push_back("outputs: " + name + " off by " + std::to_string(gap) + ", limit " + std::to_string(limit));
    }
    if (dump.at("mode") != "ptq" || shapeOf(dump, "exported") != shapeOf(dump, "annotated"))
        return out;
    for (const auto& [name, tensor] : mine) {
        const ir::Tensor* twin = name.starts_with("prepared") ? find(mine, "float" + name.substr(8)) : nullptr;
        if (twin
            && (tensor.byteCount() != twin->byteCount()
                || std::memcmp(tensor.rawData(), twin->rawData(), tensor.byteCount()) != 0))
            out.push_back("outputs: " + name + " is not bit-equal to the float output");
    }
    return out;
}

} // namespace gb::test
