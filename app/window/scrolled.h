// What needs more room than a small screen has gets scroll bars instead of being cut off.
//
// Thread: the UI thread.
#pragma once

#include <QWidget>

class QScrollArea;

namespace gb::app {

/// A frameless area that holds `content` and is as large as it where there is room. Takes it over.
QScrollArea* scrolled(QWidget* content, QWidget* parent = nullptr);

/// Makes a window smaller where it is larger than its screen.
void fitOnScreen(QWidget* window);

} // namespace gb::app
