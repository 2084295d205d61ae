// A label as the Python that would write it: what "Copy qspec as Python" puts on the clipboard.
//
// Names are torchao's; a node stands as the Python variable of its name.
//
// Thread: pure functions.
#pragma once

#include "ir/graph.h"

#include <QString>

namespace gb::views {

/// "QuantizationSpec(dtype=torch.int8, observer_or_fake_quant_ctr=HistogramObserver.with_args(eps=...), ...)", "None".
QString pythonSpec(const ir::Spec& spec, const ir::Graph& graph);
/// node.meta["quantization_annotation"] = QuantizationAnnotation(...) of a whole label.
QString pythonAnnotation(const ir::Annotation& label, const ir::Graph& graph, const QString& node);

} // namespace gb::views
