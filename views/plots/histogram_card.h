// An observer's histogram with its formula and its qparams as a picture, as the histogram panel shows it.
//
// Thread: the UI thread; needs a QApplication.
#pragma once

#include "export/card.h"
#include "observers/observer_rows.h"

namespace gb::views {

/// `when` says from which moment the state is: "after calibration".
Card histogramCard(const ObserverRow& row, const QString& when);

} // namespace gb::views
