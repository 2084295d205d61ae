#include "plots/histogram_panel.h"

#include "plots/observer_column.h"
#include "plots/qparams_model.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gb::views {
namespace {

QTableView* makeCards(QAbstractItemModel* model, QWidget* parent)
{
    auto* cards = new QTableView(parent);
    cards->setModel(model);
    cards->setAccessibleName(HistogramPanel::tr("Qparams"));
    cards->setSelectionBehavior(QAbstractItemView::SelectRows);
    cards->setEditTriggers(QAbstractItemView::NoEditTriggers);
    cards->setShowGrid(false);
    cards->verticalHeader()->hide();
    cards->verticalHeader()->setDefaultSectionSize(cards->fontMetrics().height() + 5);
    cards->horizontalHeader()->setHighlightSections(false);
    cards->setWordWrap(false);
    auto* copy = new QShortcut(QKeySequence::Copy, cards);
    copy->setContext(Qt::WidgetWithChildrenShortcut);
    return cards;
}

} // namespace

HistogramPanel::HistogramPanel(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_source(session)
    , m_left(new ObserverColumn(this))
    , m_right(new ObserverColumn(this))
    , m_pin(new QToolButton(this))
    , m_link(new QCheckBox(tr("Link x"), this))
    , m_scale(new QComboBox(this))
    , m_parts(new QSplitter(Qt::Horizontal, this))
    , m_qparams(new QParamsModel(this))
{
    m_cards = makeCards(m_qparams, this);
    m_pin->setText(tr("Pin"));
    m_pin->setCheckable(true);
    m_pin->setToolTip(tr("Keep this observer beside the next ones"));
    m_link->setChecked(true);
    m_link->setToolTip(tr("Both plots show the same values"));
    m_scale->addItem(tr("log"), static_cast<int>(CountScale::Log));
    m_scale->addItem(tr("√"), static_cast<int>(CountScale::SquareRoot));
    m_scale->addItem(tr("linear"), static_cast<int>(CountScale::Linear));
    m_scale->setAccessibleName(tr("Scale of the counts"));
    auto* scaleLabel = new QLabel(tr("Counts:"), this);
    scaleLabel->setBuddy(m_scale);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 6, 0);
    bar->addWidget(m_pin);
    bar->addWidget(scaleLabel);
    bar->addWidget(m_scale);
    bar->addWidget(m_link);
    bar->addStretch(1);
    auto* plots = new QSplitter(Qt::Horizontal, m_parts);
    plots->addWidget(m_left);
    plots->addWidget(m_right);
    plots->setChildrenCollapsible(false);
    m_right->hide();
    m_parts->addWidget(plots);
    m_parts->addWidget(m_cards);
    m_parts->setStretchFactor(0, 3);
    m_parts->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(m_parts, 1);
    connectAll();
    schedule();
}

HistogramPanel::~HistogramPanel() = default;

void HistogramPanel::connectAll()
{
    connect(m_pin, &QToolButton::clicked, this, &HistogramPanel::setPinned);
    connect(m_link, &QCheckBox::toggled, this, &HistogramPanel::linkRanges);
    connect(m_scale, &QComboBox::currentIndexChanged, this, [this] {
        const auto scale = static_cast<CountScale>(m_scale->currentData().toInt());
        m_left->view().setCountScale(scale);
        m_right->view().setCountScale(scale);
    });
    const auto link = [this](HistogramView& from, HistogramView& to) {
        connect(&from, &HistogramView::xRangeChanged, this, [this, &to](const ValueRange& range) {
            if (m_link->isChecked() && !m_right->isHidden())
                to.setXRange(range);
        });
        connect(&from, &HistogramView::channelChanged, this, &HistogramPanel::showCards);
    };
    link(m_left->view(), m_right->view());
    link(m_right->view(), m_left->view());
    connect(m_cards->findChild<QShortcut*>(), &QShortcut::activated, this,
            [this] { QApplication::clipboard()->setText(m_qparams->tsv()); });
    connect(m_session, &Session::recordingChanged, this, [this] {
        m_shown = -1;
        m_pinned = -1;
        schedule();
    });
    connect(m_session, &Session::cursorChanged, this, &HistogramPanel::schedule);
    connect(m_selection, &Selection::changed, this, &HistogramPanel::schedule);
}

void HistogramPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_left->setTheme(theme);
    m_right->setTheme(theme);
    m_qparams->setTheme(theme);
}

HistogramView& HistogramPanel::shownView()
{
    return m_left->view();
}

HistogramView& HistogramPanel::pinnedView()
{
    return m_right->view();
}

/// Once a tick, and only while somebody looks.
void HistogramPanel::schedule()
{
    m_stale = true;
    if (m_scheduled || !isVisible())
        return;
    m_scheduled = true;
    QTimer::singleShot(0, this, [this] {
        m_scheduled = false;
        if (m_stale && isVisible())
            refresh();
    });
}

void HistogramPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void HistogramPanel::refresh()
{
    m_stale = false;
    const std::vector<ObserverRow>& rows = m_source.rows();
    // a selection without an observer (an op that has none) leaves the last one where it is
    if (const ObserverRow* wanted = m_source.find(m_selection->current()))
        showInstance(wanted->instance);
    else if (!m_source.findInstance(m_shown))
        showInstance(rows.empty() ? -1 : rows.front().instance);
    else
        showInstance(m_shown);
}

void HistogramPanel::showInstance(std::int64_t instance)
{
    const bool same = instance == m_shown;
    m_shown = instance;
    const QString none =
        m_session->recording() ? tr("No observers: the run has not come to prepare.") : tr("No recording.");
    m_left->showRow(m_source.findInstance(m_shown), m_source.when(), none, same);
    const ObserverRow* pinned = m_source.findInstance(m_pinned);
    m_right->showRow(pinned, m_source.when(), tr("The pinned observer is not there at this moment."), same);
    m_right->setVisible(m_pinned != -1);
    m_pin->setChecked(m_pinned != -1);
    m_link->setEnabled(m_pinned != -1);
    m_pin->setEnabled(m_shown != -1 || m_pinned != -1);
    if (!same)
        linkRanges();
    showCards();
}

void HistogramPanel::setPinned(bool pinned)
{
    m_pinned = pinned ? m_shown : -1;
    showInstance(m_shown);
    shareRoom();
    linkRanges();
}

/// One range for both, wide enough for each; or each its own.
void HistogramPanel::linkRanges()
{
    HistogramView& left = m_left->view();
    HistogramView& right = m_right->view();
    if (m_pinned == -1 || !right.message().isEmpty() || !left.message().isEmpty())
        return;
    const ValueRange a = left.wholeRange();
    const ValueRange b = right.wholeRange();
    const ValueRange both{std::min(a.min, b.min), std::max(a.max, b.max)};
    left.setXRange(m_link->isChecked() ? both : a);
    right.setXRange(m_link->isChecked() ? both : b);
}

void HistogramPanel::showCards()
{
    const auto entries = [this](std::int64_t instance, const HistogramView& view) {
        const ObserverRow* row = m_source.findInstance(instance);
        return row ? qparamsEntries(*row, view.facts()) : std::vector<QParamsEntry>();
    };
    m_qparams->setCards(entries(m_shown, m_left->view()), entries(m_pinned, m_right->view()));
    QHeaderView* header = m_cards->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setSectionResizeMode(QParamsModel::Property, QHeaderView::ResizeToContents);
}

/// A wide dock has room beside the plots, a high one below them.
void HistogramPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const Qt::Orientation wanted = width() > 2 * height() ? Qt::Horizontal : Qt::Vertical;
    if (wanted == m_parts->orientation() && m_sized)
        return;
    m_parts->setOrientation(wanted);
    shareRoom();
}

/// Plots and cards at first, and when another column comes or goes; afterwards it is the user's.
void HistogramPanel::shareRoom()
{
    m_sized = true;
    if (m_parts->orientation() == Qt::Vertical) {
        m_parts->setSizes({3 * m_parts->height() / 4, m_parts->height() / 4});
        return;
    }
    const int digits = fontMetrics().horizontalAdvance(QStringLiteral("−0.0009999 … 0.0009999")) + 12;
    const int cards =
        fontMetrics().horizontalAdvance(tr("representable")) + 30 + digits * (m_qparams->columnCount() - 1);
    const int room = std::min(cards, m_parts->width() * 2 / 5);
    m_parts->setSizes({m_parts->width() - room, room});
}

} // namespace gb::views
