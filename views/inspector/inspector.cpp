#include "inspector/inspector.h"

#include "inspector/inspector_page.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace gb::views {

Inspector::Inspector(Session* session, Selection* selection, const Explanation* explanation, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_explanation(explanation)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_page(new InspectorPage(session, selection, explanation, m_splitter))
    , m_pin(new QToolButton(this))
{
    m_pin->setText(tr("Pin"));
    m_pin->setCheckable(true);
    m_pin->setToolTip(tr("Keep this page below the one that follows the selection"));
    m_splitter->addWidget(m_page);
    m_splitter->setChildrenCollapsible(false);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 0);
    bar->addStretch(1);
    bar->addWidget(m_pin);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_splitter, 1);
    connect(m_pin, &QToolButton::clicked, this, &Inspector::setPinned);
    connect(m_selection, &Selection::changed, this, [this] { m_page->showSelected(m_selection->current()); });
    connect(m_session, &Session::recordingChanged, this,
            [this] { setPinned(false); }); // node numbers are another run's
    m_page->showSelected(m_selection->current());
}

void Inspector::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_page->setTheme(theme);
    if (m_pinnedPage)
        m_pinnedPage->setTheme(theme);
}

void Inspector::showTab(Tab tab)
{
    m_page->showTab(tab);
}

void Inspector::showHistory()
{
    m_page->showTab(Why);
    m_page->showHistory();
}

void Inspector::setPinned(bool pinned)
{
    m_pin->setChecked(pinned);
    if (pinned == (m_pinnedPage != nullptr))
        return;
    if (!pinned) {
        m_pinnedPage->hide();
        m_pinnedPage->deleteLater(); // a link in it may be what closes it
        m_pinnedPage = nullptr;
        return;
    }
    m_pinnedPage = new InspectorPage(m_session, m_selection, m_explanation, m_splitter);
    m_pinnedPage->setTheme(*m_theme);
    m_pinnedPage->showSelected(m_page->selected());
    m_pinnedPage->showTab(m_page->tab());
    m_splitter->addWidget(m_pinnedPage);
    m_pinnedPage->show();
}

} // namespace gb::views
