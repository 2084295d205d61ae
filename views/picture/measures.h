// How large cells and groups are over all moments of a run; worked out when asked for, once.
//
// Thread: any, several at once.
#pragma once

#include "layout/arrangement.h"
#include "trace/replay.h"

#include <mutex>
#include <optional>
#include <vector>

namespace gb::views {

class Scene;

/// Room that a cell needs at every moment.
struct CellSize {
    double width = 0;
    double box = 0;   ///< height without the strip
    double strip = 0; ///< height of the label lines
};

class Measures {
public:
    explicit Measures(const Scene& scene)
        : m_scene(scene)
    {
    }
    [[nodiscard]] CellSize cell(int cell) const;
    [[nodiscard]] BoxExtent folded(int group) const;
    [[nodiscard]] BoxExtent title(int group) const;
    [[nodiscard]] ExtentSource source() const;

private:
    [[nodiscard]] CellSize measureCell(int cell) const;
    [[nodiscard]] CellSize measureSlot(int cell) const;

    const Scene& m_scene;
    mutable std::mutex m_mutex;
    mutable std::vector<std::optional<CellSize>> m_cells;
};

} // namespace gb::views
