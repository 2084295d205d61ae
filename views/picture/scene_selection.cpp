#include "picture/scene_selection.h"

#include "base/message.h"
#include "picture/scene_data.h"

namespace gb::views {
namespace {

bool cellMatches(const Scene& scene, int cell, const std::string& pattern)
{
    if (pattern.starts_with("module:")) {
        for (int group = scene.tree.groupOf(cell); group > 0; group = scene.tree.group(group).parent)
            if (matches(std::string_view(pattern).substr(7), scene.tree.group(group).path))
                return true;
        return false;
    }
    const bool byTarget = pattern.starts_with("op:");
    const std::string_view wanted = std::string_view(pattern).substr(byTarget ? 3 : 0);
    for (const ir::NodeId id : scene.unionGraph.cells()[static_cast<std::size_t>(cell)].nodes) {
        const Remembered& node = scene.remembered.at(id);
        if (matches(wanted, (byTarget ? node.target : node.name).toStdString()))
            return true;
    }
    return false;
}

} // namespace

bool matches(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos; // the last * and where its text ends for now
    std::size_t mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

base::Result<Folding> onlyAround(const Scene& scene, const std::vector<std::string>& patterns, int radius,
                                 Folding folding)
{
    std::vector<int> seeds;
    for (const std::string& pattern : patterns) {
        const std::size_t before = seeds.size();
        for (std::size_t i = 0; i < scene.unionGraph.cells().size(); ++i)
            if (cellMatches(scene, static_cast<int>(i), pattern))
                seeds.push_back(static_cast<int>(i));
        if (seeds.size() == before)
            return base::Error{base::ErrorCode::NotFound, base::say("no node matches \"{0}\"", pattern),
                               scene.recording->header.model};
    }
    folding.only = cellsAround(scene.unionGraph, scene.tucked, seeds, radius);
    return folding;
}

} // namespace gb::views
