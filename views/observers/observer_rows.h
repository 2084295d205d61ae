// The observers of a moment, one row an object: where it stands, what it observes, what it holds.
//
// Several call_module nodes may call one observer (sharing); they are one row. Sub-graphs are included.
//
// Thread: an immutable value once made.
#pragma once

#include "ir/spec.h"
#include "trace/replay.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace gb::views {

struct ObserverRow {
    std::int64_t instance = -1;
    std::string graph;                               ///< path of the graph of its first node
    std::vector<ir::NodeId> nodes;                   ///< the call_module nodes, graph order
    QStringList names;                               ///< of these nodes
    std::vector<ir::NodeId> inputs;                  ///< what each of them observes; the place as in `nodes`
    QStringList observes;                            ///< names of the inputs, each once
    QStringList users;                               ///< names of the nodes that take the observed tensor, each once
    std::shared_ptr<const trace::ObserverInfo> info; ///< never null
    std::shared_ptr<const trace::ObserverRecord> record; ///< the newest of its nodes; null: it has seen nothing

    /// What it holds; that of an observer without data where nothing is recorded.
    [[nodiscard]] const quant::ObserverState& state() const;
    /// The observer's class, or "FakeQuantize (HistogramObserver)".
    [[nodiscard]] QString typeText() const;
    /// "activation_post_process_0", or "activation_post_process_0, activation_post_process_2".
    [[nodiscard]] QString name() const { return names.join(QLatin1String(", ")); }
};

/// In graph order of their first nodes, the top graph first.
std::vector<ObserverRow> observerRows(const trace::Moment& moment);

} // namespace gb::views
