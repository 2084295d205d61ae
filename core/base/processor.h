// What the processor can do that a loop compiled for it needs.
//
// Thread: a pure function.
#pragma once

namespace gb::base {

/// For functions with the target "avx2,fma".
inline bool hasAvx2AndFma()
{
#if defined(__x86_64__)
    static const bool kHas = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    return kHas;
#else
    return false;
#endif
}

} // namespace gb::base
