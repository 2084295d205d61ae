// A label for sentences: plain text that wraps and can be selected and copied.
//
// Thread: the UI thread.
#pragma once

class QLabel;

namespace gb::views {

/// Plain, wrapped, selectable by mouse and keyboard; a long word does not widen the dock.
void makeSelectableText(QLabel* label);

} // namespace gb::views
