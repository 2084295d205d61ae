#include "io/digest.h"

#include <QCryptographicHash>

#include <algorithm>

namespace gb::io {

std::string sha256(const ir::Tensor& tensor)
{
    constexpr std::size_t kChunk = std::size_t{1} << 30; // Qt counts bytes in an int in some of its versions
    const ir::Tensor rows = tensor.contiguous();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const char* bytes = reinterpret_cast<const char*>(rows.rawData());
    for (std::size_t left = rows.byteCount(); left > 0;) {
        const std::size_t now = std::min(left, kChunk);
        hash.addData(QByteArrayView(bytes, static_cast<qsizetype>(now)));
        bytes += now;
        left -= now;
    }
    return hash.result().toHex().toStdString();
}

} // namespace gb::io
