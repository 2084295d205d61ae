// A double as another type without undefined behaviour.
//
// Thread: pure functions.
#pragma once

#include <limits>
#include <type_traits>

namespace gb::ops {

/// The number as T; for integers cut, and the nearest limit where it does not fit (0 for NaN).
template <class T>
T saturated(double value)
{
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(value);
    else if constexpr (std::is_same_v<T, bool>)
        return value != 0.0;
    else {
        if (value != value)
            return T(0);
        if (value >= static_cast<double>(std::numeric_limits<T>::max()))
            return std::numeric_limits<T>::max();
        if (value <= static_cast<double>(std::numeric_limits<T>::min()))
            return std::numeric_limits<T>::min();
        return static_cast<T>(value);
    }
}

} // namespace gb::ops
