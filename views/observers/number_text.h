// Numbers for people (4 significant digits, a true minus sign) and for the clipboard (all digits, plain ASCII).
//
// Thread: pure functions.
#pragma once

#include <QString>

#include <optional>

namespace gb::views {

/// "−1.934"; "—" where there is none.
QString shortText(const std::optional<double>& value);
/// The shortest text that reads back to the same float32 where the value is one, else to the same double.
QString fullText(double value);
/// 0.0031 -> "0.31 %"; small shares keep two digits, nothing is "0 %" but nothing.
QString percentText(double share);
/// A number in brackets where it is negative: "(−1.9)".
QString operandText(double value);
/// "1,234,567"
QString countText(double count);

} // namespace gb::views
