#include "quantizers/inductor/backend.h"

#include "quantizers/inductor/config.h"

#include <algorithm>

namespace gb::quantizers::inductor {

bool contains(const OpSet& ops, std::string_view target)
{
    return std::ranges::find(ops, target) != ops.end();
}

const OpSet& int8InInt8OutOps()
{
    static const OpSet kOps = {"aten.max_pool2d.default", "aten.cat.default", "aten.avg_pool2d.default",
                               "aten.adaptive_avg_pool2d.default", "aten.flatten.using_ints"};
    return kOps;
}

const OpSet& quantizableOps()
{
    static const OpSet kOps = [] {
        OpSet ops = x86Backend().defaultOps;
        ops.emplace_back("aten.matmul.default");
        return ops;
    }();
    return kOps;
}

std::string_view Backend::operatorFor(std::string_view name) const
{
    const auto found = std::ranges::find(operators, name, [](const auto& entry) { return entry.first; });
    return found == operators.end() ? std::string_view() : found->second;
}

// Each object of torch stands under all the names by which it can be imported.
const Backend& x86Backend()
{
    static const Backend kBackend = {
        "x86_inductor",
        "X86InductorQuantizer",
        x86Config,
        {"aten.max_pool2d.default", "aten.cat.default", "aten.avg_pool2d.default", "aten.adaptive_avg_pool2d.default",
         "aten.flatten.using_ints", "aten.conv1d.default", "aten.conv2d.default", "aten.linear.default",
         "aten.mul.Tensor"},
        true,
        {{"torch.nn.functional.conv1d", "aten.conv1d.default"},
         {"torch.conv1d", "aten.conv1d.default"},
         {"torch.nn.modules.conv.Conv2d", "aten.conv2d.default"},
         {"torch.nn.Conv2d", "aten.conv2d.default"},
         {"torch.nn.functional.conv2d", "aten.conv2d.default"},
         {"torch.conv2d", "aten.conv2d.default"},
         {"torch.nn.modules.linear.Linear", "aten.linear.default"},
         {"torch.nn.Linear", "aten.linear.default"},
         {"torch.nn.functional.linear", "aten.linear.default"},
         {"torch._C._nn.linear", "aten.linear.default"},
         {"torch.nn.modules.pooling.MaxPool2d", "aten.max_pool2d.default"},
         {"torch.nn.MaxPool2d", "aten.max_pool2d.default"},
         {"torch.nn.functional.max_pool2d", "aten.max_pool2d.default"},
         {"torch.cat", "aten.cat.default"},
         {"torch.nn.modules.pooling.AvgPool2d", "aten.avg_pool2d.default"},
         {"torch.nn.AvgPool2d", "aten.avg_pool2d.default"},
         {"torch.nn.functional.avg_pool2d", "aten.avg_pool2d.default"},
         {"torch._C._nn.avg_pool2d", "aten.avg_pool2d.default"},
         {"torch.nn.modules.pooling.AdaptiveAvgPool2d", "aten.adaptive_avg_pool2d.default"},
         {"torch.nn.AdaptiveAvgPool2d", "aten.adaptive_avg_pool2d.default"},
         {"torch.nn.functional.adaptive_avg_pool2d", "aten.adaptive_avg_pool2d.default"},
         {"torch.flatten", "aten.flatten.using_ints"},
         {"torch.matmul", "aten.matmul.default"},
         {"torch.mul", "aten.mul.Tensor"}},
    };
    return kBackend;
}

const Backend& armBackend()
{
    static const Backend kBackend = {
        "arm_inductor",
        "ArmInductorQuantizer",
        armConfig,
        {"aten.conv2d.default", "aten.linear.default"},
        false,
        {{"torch.nn.modules.conv.Conv2d", "aten.conv2d.default"},
         {"torch.nn.Conv2d", "aten.conv2d.default"},
         {"torch.nn.functional.conv2d", "aten.conv2d.default"},
         {"torch.conv2d", "aten.conv2d.default"},
         {"torch.nn.modules.linear.Linear", "aten.linear.default"},
         {"torch.nn.Linear", "aten.linear.default"},
         {"torch.nn.functional.linear", "aten.linear.default"},
         {"torch._C._nn.linear", "aten.linear.default"},
         {"torch.matmul", "aten.matmul.default"}},
    };
    return kBackend;
}

} // namespace gb::quantizers::inductor
