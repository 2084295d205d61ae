#include "figures/numbers_panel.h"

#include "figures/batches_view.h"
#include "figures/channels_view.h"
#include "figures/error_view.h"
#include "figures/figure_page.h"
#include "figures/hand_view.h"
#include "figures/histogram_search_view.h"
#include "figures/parting_view.h"
#include "figures/sheet_view.h"
#include "figures/zoo_bar.h"
#include "figures/zoo_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QToolButton>
#include <QVBoxLayout>

namespace gb::views {

NumbersPanel::NumbersPanel(Session* session, Selection* selection, QWidget* parent)
    : QTabWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_source(session)
    , m_errors(new ErrorView(selection, this))
    , m_gains(new SheetView(selection, tr("No figures."), this))
    , m_batches(new BatchesView(session, selection, this))
    , m_search(new HistogramSearchView(session, selection, this))
    , m_zooTab(new QWidget(this))
    , m_zooBar(new ZooBar(m_zooTab))
    , m_zoo(new ZooView(selection, m_zooTab))
    , m_channels(new ChannelsView(session, selection, this))
    , m_qparams(new SheetView(selection, tr("No observers: the run has not come to prepare."), this))
    , m_storage(new SheetView(selection, tr("No recording."), this))
    , m_parting(new PartingView(session, selection, this))
    , m_hand(new HandView(this))
{
    setDocumentMode(true);
    setUsesScrollButtons(true);
    addTabs();
    addExport();
    connectAll();
}

NumbersPanel::~NumbersPanel() = default;

void NumbersPanel::addTabs()
{
    auto* zooLayout = new QVBoxLayout(m_zooTab);
    zooLayout->setContentsMargins(0, 0, 0, 0);
    zooLayout->setSpacing(2);
    zooLayout->addWidget(m_zooBar);
    zooLayout->addWidget(m_zoo, 1);
    addTab(m_errors, tr("Errors"));
    addTab(m_gains, tr("Gains"));
    addTab(m_batches, tr("Batches"));
    addTab(m_search, tr("Search"));
    addTab(m_zooTab, tr("Observer zoo"));
    addTab(m_channels, tr("Channels"));
    addTab(m_qparams, tr("Before and after"));
    addTab(m_storage, tr("Storage"));
    addTab(m_parting, tr("Two runs"));
    addTab(m_hand, tr("By hand"));
}

void NumbersPanel::addExport()
{
    auto* button = new QToolButton(this);
    button->setText(tr("Export…"));
    button->setToolTip(tr("Write what this tab shows as a picture (PNG, SVG, PDF), CSV or JSON"));
    button->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(button);
    menu->addAction(tr("Export…"), this, &NumbersPanel::exportFigure);
    menu->addAction(tr("Copy picture"), this, &NumbersPanel::copyPicture);
    button->setMenu(menu);
    connect(button, &QToolButton::clicked, this, &NumbersPanel::exportFigure);
    setCornerWidget(button);
}

void NumbersPanel::connectAll()
{
    connect(this, &QTabWidget::currentChanged, this, &NumbersPanel::refresh);
    connect(m_session, &Session::recordingChanged, this, [this] {
        m_material.reset();
        stale();
    });
    connect(m_selection, &Selection::changed, this, &NumbersPanel::followSelection);
    connect(m_errors, &ErrorView::changesChanged, this, &NumbersPanel::workOutErrors);
    connect(m_errors, &ErrorView::paintedChanged, this, &NumbersPanel::paintErrors);
    connect(m_errors, &ErrorView::failed, this, &NumbersPanel::failed);
    connect(m_zooBar, &ZooBar::changed, this, &NumbersPanel::workOutZoo);
    connect(m_zoo, &ZooView::removeWanted, m_zooBar, &ZooBar::remove);
}

QStringList NumbersPanel::tabNames()
{
    return {QStringLiteral("errors"),  QStringLiteral("gains"),    QStringLiteral("batches"), QStringLiteral("search"),
            QStringLiteral("zoo"),     QStringLiteral("channels"), QStringLiteral("qparams"), QStringLiteral("storage"),
            QStringLiteral("parting"), QStringLiteral("hand")};
}

SheetView& NumbersPanel::sheet(Tab tab) const
{
    return tab == Gains ? *m_gains : tab == QParams ? *m_qparams : *m_storage;
}

void NumbersPanel::setTheme(const Theme& theme)
{
    m_errors->setTheme(theme);
    m_gains->setTheme(theme);
    m_batches->setTheme(theme);
    m_search->setTheme(theme);
    m_zoo->setTheme(theme);
    m_channels->setTheme(theme);
    m_qparams->setTheme(theme);
    m_storage->setTheme(theme);
    m_parting->setTheme(theme);
    m_hand->setTheme(theme);
}

void NumbersPanel::setMaterial(numbers::MaterialPtr material)
{
    m_material = std::move(material);
    m_channels->setMaterial(m_material);
    m_parting->setMaterial(m_material);
    stale();
}

void NumbersPanel::stale()
{
    m_jobs.cancel();
    m_fresh.clear();
    m_before.reset();
    m_report.reset();
    m_zooSite = ir::kNoNode;
    m_errors->setPainted(false); // it is another run's
    m_errors->forgetChanges();
    m_errors->setSites({}, nullptr);
    m_hand->setMaterial(nullptr);
    refresh();
}

void NumbersPanel::showEvent(QShowEvent* event)
{
    QTabWidget::showEvent(event);
    refresh();
}

/// The tab that is looked at, once.
void NumbersPanel::refresh()
{
    const int tab = currentIndex();
    if (!isVisible() || !m_session->recording() || m_fresh.contains(tab))
        return;
    const bool needsMaterial = tab == Errors || tab == Gains || tab == Zoo;
    if (needsMaterial && !m_material) {
        tell(static_cast<Tab>(tab),
             tr("A recording has no weights and no batches: open the model itself to work these figures out."));
        return;
    }
    if (tab == Errors)
        workOutErrors();
    else if (tab == Zoo)
        followSelection();
    else if (tab == Hand)
        beginByHand();
    else if (tab != Search && tab != Channels && tab != TwoRuns) // these follow the session by themselves
        workOutSheet(static_cast<Tab>(tab));
}

void NumbersPanel::tell(Tab tab, const QString& sentence)
{
    if (tab == Errors)
        m_errors->setMessage(sentence);
    else if (tab == Zoo)
        m_zoo->setMessage(sentence);
    else if (tab == Gains || tab == QParams || tab == Storage)
        sheet(tab).setMessage(sentence);
}

bool NumbersPanel::busy() const
{
    return m_jobs.running() || m_hand->busy() || m_channels->busy() || m_parting->busy();
}

void NumbersPanel::paintErrors()
{
    const auto figure = m_errors->painted();
    if (!figure || !m_report) {
        if (!figure)
            Q_EMIT overlayChanged({}, {});
        return;
    }
    const QString title = *figure == numbers::ErrorFigure::LocalSqnr        ? tr("local SQNR")
                          : *figure == numbers::ErrorFigure::CumulativeSqnr ? tr("cumulative SQNR")
                                                                            : tr("largest difference");
    Q_EMIT overlayChanged(title, numbers::overlayOf(*m_report, *figure));
}

void NumbersPanel::stopPainting()
{
    const QSignalBlocker quiet(m_errors);
    m_errors->setPainted(false);
}

std::optional<numbers::Figure> NumbersPanel::figure(bool all) const
{
    numbers::Figure out;
    switch (static_cast<Tab>(currentIndex())) {
    case Errors: out.sheet = m_errors->sheet().model().sheet(); break;
    case Gains:
    case QParams:
    case Storage: out.sheet = sheet(static_cast<Tab>(currentIndex())).model().sheet(); break;
    case TwoRuns: out.sheet = m_parting->sheet().model().sheet(); break;
    case Hand: out.sheet = m_hand->sheet(); break;
    case Batches: {
        numbers::BatchesFigure shown = m_batches->figure();
        if (!shown.history.info)
            return std::nullopt;
        out.sheet = numbers::historySheet(all ? m_batches->histories() : std::vector{shown.history});
        out.data = std::move(shown);
        break;
    }
    case Search:
        if (auto shown = m_search->figure()) {
            out.sheet = numbers::searchSheet(shown->replay);
            out.data = std::move(*shown);
        }
        break;
    case Zoo:
        out.sheet = m_zoo->sheet().model().sheet();
        if (m_zoo->figure())
            out.data = *m_zoo->figure();
        break;
    case Channels:
        out.sheet = m_channels->frontSheet();
        if (m_channels->figure())
            out.data = *m_channels->figure();
        break;
    }
    return out.sheet.columns.empty() ? std::nullopt : std::optional(std::move(out));
}

QString NumbersPanel::title() const
{
    const QString model = QString::fromStdString(m_session->recording()->header.model);
    return QStringLiteral("%1 · %2").arg(model, tabText(currentIndex()));
}

base::Status NumbersPanel::writeTo(const QString& path) const
{
    const auto shown = figure(!pictureFormat(path));
    if (!shown)
        return base::Error{base::ErrorCode::Usage, "there is nothing to write in this tab", path.toStdString()};
    return writeFigure(*shown, title(), path);
}

void NumbersPanel::exportFigure()
{
    if (!figure(true)) {
        Q_EMIT failed(tr("There is nothing to write in this tab"));
        return;
    }
    const QString name = tabNames().at(currentIndex()) + QStringLiteral(".svg");
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), name, tr("Pictures (*.svg *.pdf *.png);;Tables (*.csv);;JSON (*.json)"));
    if (path.isEmpty())
        return;
    if (const base::Status done = writeTo(path); !done.ok())
        Q_EMIT failed(QString::fromStdString(done.error().text()));
    else
        Q_EMIT said(tr("%1 written").arg(path));
}

void NumbersPanel::copyPicture()
{
    const auto shown = figure(false);
    if (!shown)
        return;
    const FigurePage page = figurePage(*shown, title(), ThemeKind::Print);
    const auto svg = pictureOf(page, PictureFormat::Svg);
    const auto png = pictureOf(page, PictureFormat::Png);
    if (!svg || !png) {
        Q_EMIT failed(QString::fromStdString((!svg ? svg.error() : png.error()).text()));
        return;
    }
    auto* mime = new QMimeData;
    mime->setData(QStringLiteral("image/svg+xml"), *svg);
    mime->setImageData(QImage::fromData(*png, "PNG"));
    QApplication::clipboard()->setMimeData(mime);
    Q_EMIT said(tr("picture copied, as SVG and PNG"));
}

} // namespace gb::views
