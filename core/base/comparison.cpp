#include "base/comparison.h"

namespace gb::base {

bool compares(double value, std::string_view how, double with)
{
    if (how == ">")
        return value > with;
    if (how == ">=")
        return value >= with;
    if (how == "<")
        return value < with;
    return how == "<=" ? value <= with : value == with;
}

} // namespace gb::base
