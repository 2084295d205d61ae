// conv2d and batch_norm with their parameters, as QAT meets them.
#pragma once

#include "graph_builder.h"

namespace gb::test {

/// One image channel in, two out, a kernel of one element; statistics that are not the identity.
struct ConvBn : Model {
    ir::Node* x = input("x");
    ir::Node* weight = attribute("conv.weight", ir::Tensor::fromVector(std::vector<float>{2, 4}, {2, 1, 1, 1}));
    ir::Node* bias = nullptr;
    ir::Node* gamma = attribute("bn.weight", ir::Tensor::fromVector(std::vector<float>{1, 3}));
    ir::Node* beta = attribute("bn.bias", ir::Tensor::fromVector(std::vector<float>{0, 5}));
    ir::Node* mean = attribute("bn.running_mean", ir::Tensor::fromVector(std::vector<float>{1, 2}));
    ir::Node* variance = attribute("bn.running_var", ir::Tensor::fromVector(std::vector<float>{1, 9}));
    ir::Node* conv = nullptr;
    ir::Node* bn = nullptr;

    explicit ConvBn(bool hasBias = false)
    {
        std::vector<ir::Argument> args = {ref(x), ref(weight)};
        if (hasBias) {
            bias = attribute("conv.bias", ir::Tensor::fromVector(std::vector<float>{10, 20}));
            args.push_back(ref(bias));
        } else {
            args.emplace_back();
        }
        args.push_back(ir::Argument::list({1, 1}));
        auto meta = std::make_shared<ir::NodeMeta>(*tensorMeta(ir::DType::Float32, {1, 2, 3, 3}));
        meta->nnModuleStack = {{"conv", "conv", "torch.nn.modules.conv.Conv2d"}};
        conv = call("aten.conv2d.default", std::move(args), meta);
        bn = addNorm(conv);
    }

    ir::Node* addNorm(const ir::Node* in)
    {
        return call("aten.batch_norm.default",
                    {ref(in), ref(gamma), ref(beta), ref(mean), ref(variance), ir::Argument(false), ir::Argument(0.3),
                     ir::Argument(1e-3), ir::Argument(false)});
    }
};

} // namespace gb::test
