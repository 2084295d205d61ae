// Numbers laid over a graph: a value a node, with a unit, on a perceptual colour bar beside the role colour.
//
// Thread: pure functions and immutable values.
#pragma once

#include "base/result.h"
#include "engine/node_times.h"
#include "ir/argument.h"
#include "trace/replay.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace gb::views {

struct Overlay {
    QString title;                       ///< "scale"
    QString unit;                        ///< "ms"; empty for a pure number
    std::map<ir::NodeId, double> values; ///< finite
    QString absent;                      ///< why there are no values; empty: none at this stage
    bool lowIsWorst = false;  ///< a folded module shows the worst of its ops: the lowest (SQNR), else the highest
    bool logarithmic = false; ///< colours follow the logarithm; only where all values are above zero
    double low = 0;           ///< of the values; set by measure()
    double high = 0;

    /// Sets low and high, and takes back `logarithmic` where it cannot be. To be called once all values are in.
    void measure();
    /// 0 to 1 along the colour bar.
    [[nodiscard]] double position(double value) const;
    /// "0.0293 ms"
    [[nodiscard]] QString text(double value) const;
};
using OverlayPtr = std::shared_ptr<const Overlay>;

enum class OverlayKind : unsigned char { None, Scale, Bits, Range, Time };

/// What an observer, or a q/dq, says about the op before it; both get the value. Of a value per channel the largest.
/// Null for None. Scale: of the observer's qparams or of the q/dq. Bits: of the integers, log2 of their count. Range:
/// largest less smallest observed value. Time: of each node in calibration, a batch, from `times`; a recording does not
/// hold them: null for a run from a file.
OverlayPtr makeOverlay(OverlayKind kind, const trace::GraphMoment& facts, const engine::NodeTimes* times = nullptr);

struct CsvOverlay {
    Overlay overlay;
    std::vector<std::string> unknown; ///< names that no node has
};
/// Lines "node name,value"; a first line without a number is the title and the unit ("node,latency (ms)"). Errors:
/// Format with the line, for a line without a number or a name twice; NotFound where no name is a node's.
base::Result<CsvOverlay> readOverlay(const std::string& csv, const std::string& fileName, const ir::Graph& graph);

} // namespace gb::views
