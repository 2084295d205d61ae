// Which edges and outputs use one observer.
//
// Source: torchao/quantization/pt2e/prepare.py (_get_edge_or_node_to_qspec, _get_edge_or_node_to_group_id and what they
// call). The order of everything is theirs: annotations in graph order, inputs before the output, other users of a
// tensor before its producer, and a union that points the child's root to the parent's.
//
// Thread: pure functions but for the events.
#pragma once

#include "passes/pass_context.h"

#include <map>
#include <optional>
#include <vector>

namespace gb::passes {

/// edge_or_node_to_qspec: every position that an annotation names, in torchao's order.
class SpecTable {
public:
    struct Row {
        ir::Position position;
        ir::Spec spec; ///< null: Python's None, which an input may have
    };

    /// A position that is there already keeps its place (Python's dict).
    void set(ir::Position position, ir::Spec spec);
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    [[nodiscard]] std::optional<std::size_t> find(ir::Position position) const;

private:
    std::vector<Row> m_rows;
    std::map<ir::Position, std::size_t> m_index;
};

/// _get_edge_or_node_to_qspec
SpecTable specsOf(const ir::Graph& graph);

/// edge_or_node_to_group_id
struct SharingGroups {
    SpecTable specs;
    std::vector<int> groupOf; ///< by row of specs
    int count = 0;            ///< groups are 0 .. count - 1, numbered in the order of their first member

    /// The rows of a group, in order.
    [[nodiscard]] std::vector<std::size_t> members(int group) const;
};

/// _get_edge_or_node_to_group_id. Says a `share` event for every two groups that it joins, and a `group` event for
/// every group in the end. Errors: KeyError for a shared spec that refers to a position without a spec; RecursionError
/// where shared specs of a cycle lead nowhere else (torchao recurses until Python stops it).
base::Result<SharingGroups> findSharingGroups(const ir::Graph& graph, SpecTable specs, trace::Recorder& recorder);

/// "relu" or "relu -> conv2d": a position as a sentence names it.
std::string positionText(const ir::Graph& graph, ir::Position position);
/// [node] or [upstream, consumer]: a position as an event's field.
ir::Argument positionField(ir::Position position);

} // namespace gb::passes
