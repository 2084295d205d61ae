#include "ops/kernels/padded_planes.h"

#include "ops/strided.h"

#include <algorithm>
#include <cstring>

namespace gb::ops {
namespace {

/// Where a kernel element reads for output (0, 0, 0).
struct Place {
    Triple at{};            ///< input position
    Triple corner{};        ///< in its plane
    std::int64_t plane = 0; ///< of its channel
};

/// Which planes there are and how they lie in memory: channel by channel, plane by plane.
struct Layout {
    Triple first{};                ///< input position of plane 0's corner
    std::vector<Triple> phases;    ///< by how many inputs a plane is moved from it
    Triple size{};                 ///< of one plane
    std::vector<Place> places;     ///< no two at one position
    std::vector<std::size_t> taps; ///< of each tap, its place

    [[nodiscard]] std::int64_t planeSize() const { return size[0] * size[1] * size[2]; }
    [[nodiscard]] std::int64_t channelSize() const { return planeSize() * static_cast<std::int64_t>(phases.size()); }
};

/// The places of the taps. A tap is mostly at the place of the one before it, or at the next one.
void findPlaces(const std::vector<Tap>& taps, Layout& layout)
{
    std::vector<Place>& places = layout.places;
    std::size_t place = 0;
    layout.taps.reserve(taps.size());
    for (const Tap& tap : taps) {
        const std::size_t next = place + 1 < places.size() ? place + 1 : 0;
        if (places.empty() || places[place].at != tap.at) {
            const bool follows = !places.empty() && places[next].at == tap.at;
            place = follows ? next
                            : static_cast<std::size_t>(std::ranges::find(places, tap.at, &Place::at) - places.begin());
        }
        if (place == places.size())
            places.push_back({tap.at});
        layout.taps.push_back(place);
    }
}

Layout layoutOf(const PatchGrid& p)
{
    Layout out;
    findPlaces(p.taps, out);
    out.first = out.places.front().at;
    for (const Place& place : out.places)
        for (std::size_t axis = 0; axis < 3; ++axis)
            out.first[axis] = std::min(out.first[axis], place.at[axis]);
    out.size = p.grid;
    for (Place& place : out.places) {
        Triple phase;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            phase[axis] = (place.at[axis] - out.first[axis]) % p.step[axis];
            place.corner[axis] = (place.at[axis] - out.first[axis]) / p.step[axis];
            out.size[axis] = std::max(out.size[axis], p.grid[axis] + place.corner[axis]);
        }
        const auto known = std::ranges::find(out.phases, phase);
        place.plane = known - out.phases.begin();
        if (known == out.phases.end())
            out.phases.push_back(phase);
    }
    return out;
}

void copyPlane(const PatchGrid& p, const Layout& layout, const Triple& phase, const float* in, float* to)
{
    const auto inside = [&](std::int64_t at, std::size_t axis) { return at >= 0 && at < p.input[axis]; };
    for (std::int64_t z = 0; z < layout.size[0]; ++z)
        for (std::int64_t y = 0; y < layout.size[1]; ++y, to += layout.size[2]) {
            const std::int64_t atZ = layout.first[0] + phase[0] + z * p.step[0];
            const std::int64_t atY = layout.first[1] + phase[1] + y * p.step[1];
            if (inside(atZ, 0) && inside(atY, 1))
                copyStretch(in + (atZ * p.input[1] + atY) * p.input[2], layout.first[2] + phase[2], p.step[2],
                            p.input[2], layout.size[2], to);
            else
                std::fill_n(to, layout.size[2], 0.0F);
        }
}

std::vector<ColumnRun> runsOf(const PatchGrid& p, const Layout& layout)
{
    std::vector<ColumnRun> out;
    for (std::int64_t z = 0; z < p.grid[0]; ++z)
        for (std::int64_t y = 0; y < p.grid[1]; ++y)
            out.push_back({(z * layout.size[1] + y) * layout.size[2], p.grid[2], (z * p.grid[1] + y) * p.grid[2]});
    return out;
}

/// True where the planes have little more than the input and the product little more than its wanted columns.
bool pays(const PatchGrid& p, const Layout& layout)
{
    constexpr std::int64_t kMostCopies = 3;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (layout.size[axis] > kMostCopies * std::max(p.input[axis], p.grid[axis]))
            return false;
    const std::int64_t columns = ((p.grid[0] - 1) * layout.size[1] + p.grid[1] - 1) * layout.size[2] + p.grid[2];
    const std::int64_t wanted = roundUp(p.columns(), kMaxTileCols / 2);
    return layout.channelSize() <= kMostCopies * std::max(p.input[0] * p.input[1] * p.input[2], p.columns())
           && columns <= wanted + wanted / 4;
}

} // namespace

std::optional<PaddedPlanes> PaddedPlanes::make(const Context& context, const PatchGrid& patches, const float* input,
                                               std::int64_t channels)
{
    if (patches.taps.empty() || patches.columns() == 0)
        return std::nullopt;
    const Layout layout = layoutOf(patches);
    if (!pays(patches, layout))
        return std::nullopt;
    PaddedPlanes out;
    out.m_factor.runs = runsOf(patches, layout);
    const std::int64_t inputSize = patches.input[0] * patches.input[1] * patches.input[2];
    const std::int64_t total = channels * layout.channelSize();
    out.m_values = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(total + kMaxTileCols));
    std::fill_n(out.m_values.get() + total, kMaxTileCols, 0.0F);
    const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / layout.channelSize());
    context.forEachChunk(channels, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t channel = begin; channel < end; ++channel) {
            float* to = out.m_values.get() + channel * layout.channelSize();
            for (const Triple& phase : layout.phases) {
                copyPlane(patches, layout, phase, input + channel * inputSize, to);
                to += layout.planeSize();
            }
        }
    });
    out.m_factor.data = out.m_values.get();
    std::vector<std::int64_t> starts; // of each place, in its channel
    for (const Place& place : layout.places)
        starts.push_back(place.plane * layout.planeSize()
                         + (place.corner[0] * layout.size[1] + place.corner[1]) * layout.size[2] + place.corner[2]);
    out.m_factor.rows.reserve(patches.taps.size());
    for (std::size_t k = 0; k < patches.taps.size(); ++k)
        out.m_factor.rows.push_back(patches.taps[k].channel / inputSize * layout.channelSize()
                                    + starts[layout.taps[k]]);
    return out;
}

} // namespace gb::ops
