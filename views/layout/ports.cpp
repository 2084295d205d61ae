#include "layout/ports.h"

#include <algorithm>

namespace gb::views {
namespace {

constexpr double kPortGap = 60;
constexpr double kInset = 22;
constexpr std::size_t kMovable = 10; ///< points of a line with a straight start, a bend and a straight end

} // namespace

Curve smooth(const std::vector<Point>& through)
{
    Curve curve{through[0]};
    for (std::size_t i = 1; i < through.size(); ++i) {
        const Point a = through[i - 1];
        const Point b = through[i];
        // an edge that closes a cycle swings out; a box that fills its band leaves a stretch of no length
        const double bend = b.y > a.y - 0.5 ? std::max(0.0, (b.y - a.y) / 2) : 30;
        curve.push_back({a.x, a.y + bend});
        curve.push_back({b.x, b.y - bend});
        curve.push_back(b);
    }
    return curve;
}

Curve straightLine(Point from, Point to)
{
    return smooth({from, from, to, to});
}

void moveStart(Curve& curve, double x)
{
    if (curve.size() < kMovable)
        return;
    const double shift = x - curve.front().x;
    for (std::size_t i = 0; i < 5; ++i)
        curve[i].x += shift;
}

void moveEnd(Curve& curve, double x)
{
    if (curve.size() < kMovable)
        return;
    const double shift = x - curve.back().x;
    for (std::size_t i = curve.size() - 5; i < curve.size(); ++i)
        curve[i].x += shift;
}

std::vector<double> spreadPorts(std::vector<double> wanted, double left, double right)
{
    if (wanted.size() == 1)
        wanted[0] = (left + right) / 2;
    if (wanted.size() < 2)
        return wanted;
    const double gap = std::min(kPortGap, (right - left) / (static_cast<double>(wanted.size()) + 1));
    const double inset = std::min(kInset, gap);
    double low = left + inset;
    for (double& x : wanted) {
        x = std::clamp(x, low, std::max(low, right - inset));
        low = x + gap;
    }
    double high = right - inset;
    for (auto x = wanted.rbegin(); x != wanted.rend(); ++x) {
        *x = std::min(*x, high);
        high = *x - gap;
    }
    return wanted;
}

} // namespace gb::views
