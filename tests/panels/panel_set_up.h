// A panel that shows what is selected in a session.
#pragma once

#include "canvas/selection.h"
#include "session/session.h"

namespace gb::test {

template <class Panel>
struct PanelSetUp {
    views::Session session;
    views::Selection selection;
    Panel panel{&session, &selection};

    /// Shown first, since a hidden panel does nothing; then the recording comes in.
    PanelSetUp(const trace::RecordingPtr& recording, const char* stage)
    {
        panel.resize(1200, 400);
        panel.show();
        session.setRecording(recording, QString::fromLatin1(stage));
    }
};

} // namespace gb::test
