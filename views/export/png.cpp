#include "export/png.h"

#include "base/message.h"

#include <QBuffer>

namespace gb::views {
namespace {

using base::Error;
using base::ErrorCode;

constexpr double kMaxPixels = 256e6;
constexpr int kMaxSide = 32000;

} // namespace

base::Status fitsPng(const QSize& size)
{
    if (static_cast<double>(size.width()) * size.height() > kMaxPixels || size.width() > kMaxSide
        || size.height() > kMaxSide)
        return Error{
            ErrorCode::Usage,
            base::say(
                "{0} x {1} pixels, at most 32,000 a side and 256 million expected: take SVG or PDF, or a smaller scale",
                size.width(), size.height()),
            "png"};
    return {};
}

base::Result<QByteArray> encodePng(QImage image, double scale)
{
    image.setDotsPerMeterX(static_cast<int>(96 * scale / 0.0254));
    image.setDotsPerMeterY(static_cast<int>(96 * scale / 0.0254));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return Error{ErrorCode::Io, "the picture could not be written as PNG", {}};
    return bytes;
}

} // namespace gb::views
