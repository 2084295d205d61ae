#include "theme/perceptual.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gb::views {

QColor perceptual(double position)
{
    // ten evenly spaced stops of cividis (Nunez, Anderton, Renslow: PLoS ONE 13(7), 2018)
    constexpr std::array<unsigned, 10> kStops{0x00224E, 0x123570, 0x3B496C, 0x575D6D, 0x707173,
                                              0x8A8678, 0xA59C74, 0xC3B369, 0xE1CC55, 0xFEE838};
    const double at = std::clamp(position, 0.0, 1.0) * (kStops.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
    const double share = at - static_cast<double>(low);
    const QColor a = QColor::fromRgb(kStops[low]);
    const QColor b = QColor::fromRgb(kStops[low + 1]);
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

} // namespace gb::views
