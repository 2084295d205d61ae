// What a figure shows besides its sheet: the values that its plots are painted of. The window's panels and the pictures
// of the command line are made of the same.
//
// Thread: values; what takes a Material belongs to the thread that works on it.
#pragma once

#include "numbers/channel_counts.h"
#include "numbers/channels.h"
#include "numbers/history.h"
#include "numbers/material.h"
#include "numbers/search_replay.h"
#include "numbers/zoo.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gb::numbers {

struct BatchesFigure {
    History history; ///< of one observer
    int step = -1;   ///< whose histogram is shown; -1: the last one
};

struct SearchFigure {
    std::string name; ///< of the observer
    quant::ObserverSettings settings;
    quant::ObserverState state;
    SearchReplay replay;
    int move = -1; ///< that is shown; -1: the last one
};

struct ZooFigure {
    std::string what; ///< the node whose values all saw
    std::vector<ZooAnimal> animals;
    quant::ObserverState values; ///< a HistogramObserver that saw them too
};

/// A per-channel observer and, where there is a model to ask, the values that it saw.
struct ChannelsFigure {
    std::string name;    ///< of the observer
    std::string what;    ///< the node that it observes
    std::string target;  ///< of the op that takes the observed tensor: "aten.conv2d.default"
    base::Message words; ///< of the axis
    quant::ObserverSettings settings;
    quant::ObserverState state;
    Channels channels;
    std::vector<ir::Tensor> values; ///< what it saw; empty for a recording
    ChannelCounts counts;           ///< of the values; empty without them
    ChannelCounts levels;           ///< the same in units of each channel's scale
    std::vector<AxisChoice> axes;
};

using FigureData = std::variant<std::monostate, BatchesFigure, SearchFigure, ZooFigure, ChannelsFigure>;
struct Figure {
    Sheet sheet;
    FigureData data;
};

/// Runs the observers on what `site` (a node of the float model) gives on the calibration batches. Errors: those of
/// valuesOf() and runZoo().
base::Result<ZooFigure> zooFigure(const Material& material, ir::NodeId site,
                                  const std::vector<ir::ObserverConstructor>& observers, const base::Work& work = {});

/// The channels of an observer, from its state alone. `observer` is its node in `graph`.
ChannelsFigure channelsFigure(const ir::Graph& graph, ir::NodeId observer, const quant::ObserverSettings& settings,
                              const quant::ObserverState& state);
/// Adds what the observer saw: counts and the comparison of axes. Errors: those of valuesOf() and compareAxes(),
/// NotFound where the calibrated model has no such observer.
base::Status addValues(ChannelsFigure& figure, const Material& material, ir::NodeId observer,
                       const base::Work& work = {});

} // namespace gb::numbers
