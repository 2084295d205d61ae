#include "ir/spec.h"

#include <array>

namespace gb::ir {
namespace {
constexpr std::array kSchemes = {
    "per_tensor_affine",
    "per_tensor_symmetric",
    "per_channel_affine",
    "per_channel_symmetric",
    "per_channel_affine_float_qparams",
};
} // namespace

const char* name(QScheme scheme)
{
    return kSchemes[static_cast<std::size_t>(scheme)];
}

std::optional<QScheme> qschemeFromName(std::string_view text)
{
    for (std::size_t i = 0; i < kSchemes.size(); ++i)
        if (text == kSchemes[i])
            return static_cast<QScheme>(i);
    return std::nullopt;
}

bool isPerChannel(QScheme scheme)
{
    return scheme >= QScheme::PerChannelAffine;
}

bool isSymmetric(QScheme scheme)
{
    return scheme == QScheme::PerTensorSymmetric || scheme == QScheme::PerChannelSymmetric;
}

const Spec* Annotation::input(NodeId upstream) const
{
    for (const auto& [node, spec] : inputs)
        if (node == upstream)
            return &spec;
    return nullptr;
}

void Annotation::setInput(NodeId upstream, Spec spec)
{
    for (auto& [node, old] : inputs)
        if (node == upstream) {
            old = std::move(spec);
            return;
        }
    inputs.emplace_back(upstream, std::move(spec));
}

} // namespace gb::ir
