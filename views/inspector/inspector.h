// Right dock: everything about what is selected, in four tabs; the pin keeps a second page for comparison.
//
// Thread: the UI thread.
#pragma once

#include "canvas/selection.h"
#include "session/explanation.h"
#include "theme/theme.h"

#include <QWidget>

class QSplitter;
class QToolButton;

namespace gb::views {

class InspectorPage;

class Inspector final : public QWidget {
    Q_OBJECT

public:
    enum Tab { Facts, Why, QParams, Code, TabCount };

    Inspector(Session* session, Selection* selection, const Explanation* explanation, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void showTab(Tab tab);
    void showHistory(); ///< scrolls the Why page to the history of the label
    /// The page that follows the selection.
    [[nodiscard]] InspectorPage& page() const { return *m_page; }
    /// The pinned page; null where nothing is pinned.
    [[nodiscard]] InspectorPage* pinnedPage() const { return m_pinnedPage; }

public Q_SLOTS:
    void setPinned(bool pinned); ///< keeps what is shown in a second page, or closes that page

private:
    Session* m_session;
    Selection* m_selection;
    const Explanation* m_explanation;
    const Theme* m_theme;
    QSplitter* m_splitter;
    InspectorPage* m_page;
    InspectorPage* m_pinnedPage = nullptr;
    QToolButton* m_pin;
};

} // namespace gb::views
