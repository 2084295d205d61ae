// The toolbar's icons, drawn in the theme's own ink so that they are seen in every theme and at every scale.
//
// Thread: the UI thread.
#pragma once

#include "theme/theme.h"

#include <QIcon>

namespace gb::app {

enum class IconShape { Open, Run, Stop, First, Back, Forward, Last };

QIcon makeIcon(IconShape shape, const views::Theme& theme);

} // namespace gb::app
