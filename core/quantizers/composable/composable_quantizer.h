// ComposableQuantizer: several quantizers, one after the other, none of which may replace what an earlier one wrote.
//
// Source: torchao/quantization/pt2e/quantizer/composable_quantizer.py. A member may edit an annotation that is there
// (the same object); a new object in its place is refused, even one with the same content.
//
// Thread: the one that runs the passes.
#pragma once

#include "quantizers/quantizer.h"

#include <unordered_map>
#include <vector>

namespace gb::quantizers::composable {

class ComposableQuantizer final : public Quantizer {
public:
    explicit ComposableQuantizer(std::vector<std::unique_ptr<Quantizer>> members);

    [[nodiscard]] const char* kind() const override { return "composable"; }
    [[nodiscard]] const char* className() const override { return "ComposableQuantizer"; }
    void setPlace(std::string place) override;
    base::Status transformForAnnotation(ir::GraphModule& model, trace::Recorder& recorder) override;
    /// Errors: a member's own; RuntimeError where a member replaced or removed an annotation of an earlier one.
    base::Status annotate(ir::GraphModule& model, trace::Recorder& recorder) override;

private:
    base::Status recordAndValidate(const ir::Graph& graph, const Quantizer& member);

    std::vector<std::unique_ptr<Quantizer>> m_members;
    /// The annotation object that each node was first seen with.
    std::unordered_map<ir::NodeId, std::shared_ptr<const char>> m_objects;
};

} // namespace gb::quantizers::composable
