#include "window/image_reader.h"

#include "base/message.h"

#include <QImage>
#include <QImageReader>

namespace gb::app {

base::Result<ir::Tensor> readImage(const std::string& path, std::int64_t height, std::int64_t width)
{
    constexpr std::int64_t kLargest = 16384;
    if (height < 1 || width < 1 || height > kLargest || width > kLargest)
        return base::Error{base::ErrorCode::Usage,
                           base::say("size {0} x {1} found, 1 to {2} each expected", height, width, kLargest), path};
    QImageReader reader(QString::fromStdString(path));
    reader.setAutoTransform(true);
    const QImage read = reader.read();
    if (read.isNull())
        return base::Error{base::ErrorCode::Format, reader.errorString().toStdString(), path};
    const QImage image =
        read.convertToFormat(QImage::Format_ARGB32_Premultiplied)
            .scaled(static_cast<int>(width), static_cast<int>(height), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
            .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    ir::Tensor out = ir::Tensor::empty(ir::DType::Float32, {3, height, width});
    auto* to = out.mutableData<float>();
    const std::int64_t pixels = height * width;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const std::int64_t at = y * width + x;
            to[at] = static_cast<float>(qRed(line[x])) / 255.0F;
            to[pixels + at] = static_cast<float>(qGreen(line[x])) / 255.0F;
            to[2 * pixels + at] = static_cast<float>(qBlue(line[x])) / 255.0F;
        }
    }
    return out;
}

} // namespace gb::app
