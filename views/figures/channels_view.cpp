#include "figures/channels_view.h"

#include "message/selectable_text.h"
#include "observers/number_text.h"
#include "session/translate.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <mutex>

namespace gb::views {
namespace {

constexpr std::int64_t kPinnedBins = 128;

bool isPerChannel(const ObserverRow& row)
{
    return row.info->settings.qscheme && ir::isPerChannel(*row.info->settings.qscheme);
}

} // namespace

ChannelsView::ChannelsView(Session* session, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_source(session)
    , m_choice(new QComboBox(this))
    , m_unit(new QComboBox(this))
    , m_sentence(new QLabel(this))
    , m_strip(new ChannelStrip(this))
    , m_histogram(new HistogramView(this))
    , m_which(new QTabBar(this))
    , m_tables(new QStackedWidget(this))
    , m_sheet(new SheetView(selection, tr("No channels."), this))
    , m_axes(new SheetView(selection, tr("Axes are compared where the model itself is open."), this))
{
    m_histogram->setCompact(true);
    m_choice->setAccessibleName(tr("Observer"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_unit->setAccessibleName(tr("x axis of the strip"));
    m_unit->addItem(tr("values"));
    m_unit->addItem(tr("in levels of each channel"));
    makeSelectableText(m_sentence);
    m_which->addTab(tr("Channels"));
    m_which->addTab(tr("Axes"));
    m_which->setDrawBase(false);
    m_which->setExpanding(false);
    m_tables->addWidget(m_sheet);
    m_tables->addWidget(m_axes);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 6, 0);
    bar->addWidget(m_choice);
    bar->addWidget(m_unit);
    bar->addWidget(m_sentence, 1);
    auto* right = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_which);
    column->addWidget(m_tables, 1);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    for (QWidget* part : QWidgetList{m_strip, m_histogram, right})
        parts->addWidget(part);
    parts->setChildrenCollapsible(false);
    parts->setSizes({320, 380, 420});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(bar);
    layout->addWidget(parts, 1);
    connectAll();
    showFigure(nullptr);
}

void ChannelsView::connectAll()
{
    connect(m_choice, &QComboBox::activated, this,
            [this](int index) { showObserver(m_choice->itemData(index).toLongLong()); });
    connect(m_unit, &QComboBox::currentIndexChanged, this, [this] {
        if (m_figure)
            m_strip->setFigure(*m_figure, unit());
    });
    connect(m_which, &QTabBar::currentChanged, m_tables, &QStackedWidget::setCurrentIndex);
    connect(m_strip, &ChannelStrip::picked, this, &ChannelsView::pin);
    connect(m_sheet, &SheetView::rowChosen, this, &ChannelsView::pin);
    connect(&m_sheet->table(), &FilteredTable::orderChanged, this, &ChannelsView::followTable);
    connect(m_selection, &Selection::changed, this, &ChannelsView::refresh);
    connect(m_session, &Session::cursorChanged, this, &ChannelsView::refresh);
    connect(m_session, &Session::recordingChanged, this, [this] {
        m_material.reset();
        m_stale = true;
        refresh();
    });
}

void ChannelsView::setTheme(const Theme& theme)
{
    m_strip->setTheme(theme);
    m_histogram->setTheme(theme);
    m_sheet->setTheme(theme);
    m_axes->setTheme(theme);
    QPalette colours = m_sentence->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Text));
    m_sentence->setPalette(colours);
}

void ChannelsView::setMaterial(numbers::MaterialPtr material)
{
    m_material = std::move(material);
    m_stale = true;
    refresh();
}

StripUnit ChannelsView::unit() const
{
    return m_unit->currentIndex() == 1 ? StripUnit::Level : StripUnit::Value;
}

const numbers::Sheet& ChannelsView::frontSheet() const
{
    return (m_which->currentIndex() == 1 ? m_axes : m_sheet)->model().sheet();
}

QString ChannelsView::sentence() const
{
    return m_sentence->text();
}

void ChannelsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

/// What is selected decides, where it has channels; else what is shown stays, else the first.
void ChannelsView::refresh()
{
    if (!isVisible())
        return;
    std::vector<const ObserverRow*> rows;
    for (const ObserverRow& row : m_source.rows())
        if (isPerChannel(row))
            rows.push_back(&row);
    const ObserverRow* wanted = m_source.find(m_selection->current());
    if (!wanted || !isPerChannel(*wanted))
        wanted = m_source.findInstance(m_instance);
    if ((!wanted || !isPerChannel(*wanted)) && !rows.empty())
        wanted = rows.front();
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        for (const ObserverRow* row : rows)
            m_choice->addItem(tr("%1 · %2").arg(row->name(), row->observes.join(QStringLiteral(", "))),
                              QVariant::fromValue<qlonglong>(row->instance));
    }
    m_choice->setEnabled(!rows.empty());
    if (rows.empty()) {
        m_instance = -1;
        showFigure(nullptr);
    } else if (wanted->instance != m_instance || m_event != m_source.event() || m_stale) {
        showObserver(wanted->instance);
    }
    m_choice->setCurrentIndex(m_choice->findData(QVariant::fromValue<qlonglong>(m_instance)));
}

/// The ranges at once, what hangs on the values when they are there.
void ChannelsView::showObserver(std::int64_t instance)
{
    const ObserverRow* row = m_source.findInstance(instance);
    if (!row)
        return;
    m_jobs.cancel();
    m_stale = false;
    m_instance = instance;
    m_event = m_source.event();
    const ir::NodeId node = row->nodes.front();
    trace::MomentPtr moment = m_session->momentOfStage(QStringLiteral("prepared"));
    if (!moment)
        moment = m_session->moment();
    const auto graph = moment->graphs.find(row->graph);
    if (graph == moment->graphs.end())
        return;
    auto figure = std::make_shared<numbers::ChannelsFigure>(
        numbers::channelsFigure(*graph->second->graph, node, row->info->settings, row->state()));
    showFigure(figure);
    if (!m_material || !row->graph.empty() || figure->channels.rows.empty())
        return;
    m_jobs.start(tr("Channels"),
                 [this, figure, node, material = m_material](const base::Work& work) -> JobRunner::Delivery {
                     const std::lock_guard turn(*material->turn);
                     auto full = std::make_shared<numbers::ChannelsFigure>(*figure);
                     auto done = std::make_shared<base::Status>(numbers::addValues(*full, *material, node, work));
                     return [this, full, done] {
                         if (done->ok())
                             showFigure(full);
                         else
                             m_axes->setMessage(QString::fromStdString(done->error().text()));
                     };
                 });
}

void ChannelsView::showFigure(std::shared_ptr<const numbers::ChannelsFigure> figure)
{
    m_figure = std::move(figure);
    m_unit->setEnabled(m_figure != nullptr);
    if (!m_figure || m_figure->channels.rows.empty()) {
        m_strip->setFigure({}, unit());
        m_sheet->setMessage(tr("No channels."));
        m_axes->setMessage(tr("Axes are compared where the model itself is open."));
        m_sentence->clear();
        m_histogram->setMessage(!m_figure ? tr("No observer has a scale for each channel.")
                                          : tr("%1 has seen nothing yet.").arg(QString::fromStdString(m_figure->name)));
        return;
    }
    m_sheet->setSheet(numbers::channelSheet(m_figure->channels));
    if (m_figure->axes.empty())
        m_axes->setMessage(m_material ? tr("Comparing the axes…")
                                      : tr("Axes are compared where the model itself is open."));
    else
        m_axes->setSheet(numbers::axisSheet(m_figure->axes));
    m_strip->setFigure(*m_figure, unit());
    followTable();
    pin(m_strip->pinned());
}

void ChannelsView::pin(int channel)
{
    if (!m_figure || channel < 0 || channel >= static_cast<int>(m_figure->channels.rows.size()))
        return;
    m_strip->setPinned(channel);
    m_sheet->table().setCurrentRow(channel);
    showChannel();
}

void ChannelsView::showChannel()
{
    const int channel = m_strip->pinned();
    const auto one = numbers::oneChannel(m_figure->settings, m_figure->state, channel);
    if (!one) {
        m_histogram->setMessage(tr("Channel %1 has no scale.").arg(channel));
        return;
    }
    const numbers::ChannelCounts counts =
        numbers::countChannel(m_figure->values, m_figure->channels.axis, channel, kPinnedBins);
    m_histogram->setValues({counts.min, counts.max}, counts.counts);
    m_histogram->setObserver("MinMaxObserver", one->settings, one->state);
    const numbers::ChannelRow& row = m_figure->channels.rows[static_cast<std::size_t>(channel)];
    QString text = tr("%1 of %2 · channel %3: scale %4, %5 times the median")
                       .arg(translated(m_figure->words), QString::fromStdString(m_figure->what))
                       .arg(channel)
                       .arg(shortText(row.scale), shortText(row.ratio));
    if (row.outlier)
        text += tr(" (outlier)");
    text[0] = text[0].toUpper();
    m_sentence->setText(text);
}

void ChannelsView::followTable()
{
    QVector<int> order;
    for (const int row : m_sheet->table().order())
        order << row;
    m_strip->setOrder(std::move(order));
}

} // namespace gb::views
