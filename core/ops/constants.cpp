#include "ops/constants.h"

namespace gb::ops {

void Constants::add(const ir::Tensor& x)
{
    m_tensors.try_emplace(x.rawData(), x);
}

bool Constants::contains(const ir::Tensor& x) const
{
    const auto found = m_tensors.find(x.rawData());
    return found != m_tensors.end() && found->second.sharesStorage(x) && found->second.dtype() == x.dtype()
           && found->second.shape() == x.shape() && found->second.strides() == x.strides();
}

} // namespace gb::ops
