// A graph with labels and numbers as Model Explorer reads it: a graph collection in JSON.
//
// Format: github.com/google-ai-edge/model-explorer, graph_builder.py (GraphCollection, Graph, GraphNode, IncomingEdge,
// KeyValue, MetadataItem). Modules become namespaces ("layer1/0/conv1"), so that they fold there as here.
//
// Thread: pure function.
#pragma once

#include "picture/picture.h"
#include "trace/replay.h"

#include <string>
#include <utility>
#include <vector>

namespace gb::views {

/// One graph a stage, called by the stage's name. Of each node: op, target, output type, and its labels, observer and
/// overlay values as attributes.
struct ModelExplorerGraph {
    std::string name;
    std::shared_ptr<const trace::GraphMoment> facts;
    PicturePtr picture; ///< everything unfolded: labels are read from it
};
std::string toModelExplorer(const std::string& model, const std::vector<ModelExplorerGraph>& graphs);

/// The numbers that are laid over the pictures, as its node data (node_data_builder.py, ModelNodeData): a file beside
/// the graphs. Empty where there are none.
std::string toModelExplorerData(const std::vector<ModelExplorerGraph>& graphs);

} // namespace gb::views
