#include "figures/numbers_panel.h"

#include "figures/batches_view.h"
#include "figures/error_view.h"
#include "figures/histogram_search_view.h"
#include "figures/sheet_view.h"
#include "figures/zoo_bar.h"
#include "figures/zoo_view.h"
#include "numbers/history.h"
#include "numbers/qparams_rows.h"
#include "numbers/site_values.h"
#include "numbers/storage.h"
#include "numbers/what_if.h"

#include <QVBoxLayout>

namespace gb::views {
namespace {

QString sentenceOf(const base::Error& error)
{
    return QString::fromStdString(error.text());
}

struct ZooResult {
    std::vector<numbers::ZooAnimal> animals;
    QString what;
};

base::Result<ZooResult> runZooAt(const numbers::Material& material, ir::NodeId site,
                                 const std::vector<ir::ObserverConstructor>& observers, const base::Work& work)
{
    const auto floats = numbers::withoutObservers(*material.calibrated->module);
    GB_ASSIGN(const auto values, numbers::valuesOf(material, *floats, site, material.calibration, work));
    ZooResult out;
    GB_ASSIGN(out.animals, numbers::runZoo(observers, values, work));
    out.what = QString::fromStdString(floats->graph().nameOf(site));
    return out;
}

} // namespace

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
    , m_qparams(new SheetView(selection, tr("No observers: the run has not come to prepare."), this))
    , m_storage(new SheetView(selection, tr("No recording."), this))
{
    setDocumentMode(true);
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
    addTab(m_qparams, tr("Before and after"));
    addTab(m_storage, tr("Storage"));
    connect(this, &QTabWidget::currentChanged, this, &NumbersPanel::refresh);
    connect(m_session, &Session::recordingChanged, this, [this] {
        m_material.reset();
        stale();
    });
    connect(m_selection, &Selection::changed, this, &NumbersPanel::followSelection);
    connect(m_errors, &ErrorView::changesChanged, this, &NumbersPanel::workOutErrors);
    connect(m_zooBar, &ZooBar::changed, this, &NumbersPanel::workOutZoo);
    connect(m_errors, &ErrorView::failed, this, &NumbersPanel::failed);
    connect(m_zoo, &ZooView::failed, this, &NumbersPanel::failed);
    for (const SheetView* view : {m_gains, m_qparams, m_storage})
        connect(view, &SheetView::failed, this, &NumbersPanel::failed);
}

NumbersPanel::~NumbersPanel() = default;

QStringList NumbersPanel::tabNames()
{
    return {QStringLiteral("errors"), QStringLiteral("gains"),   QStringLiteral("batches"), QStringLiteral("search"),
            QStringLiteral("zoo"),    QStringLiteral("qparams"), QStringLiteral("storage")};
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
    m_qparams->setTheme(theme);
    m_storage->setTheme(theme);
}

void NumbersPanel::setMaterial(numbers::MaterialPtr material)
{
    m_material = std::move(material);
    stale();
}

void NumbersPanel::stale()
{
    m_jobs.cancel();
    m_fresh.clear();
    m_before.reset();
    m_zooSite = ir::kNoNode;
    m_errors->forgetChanges();
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
    else if (tab != Search) // which follows the session by itself
        workOutSheet(static_cast<Tab>(tab));
}

void NumbersPanel::tell(Tab tab, const QString& sentence)
{
    if (tab == Errors)
        m_errors->setMessage(sentence);
    else if (tab == Zoo)
        m_zoo->setMessage(sentence);
    else if (tab != Batches && tab != Search)
        sheet(tab).setMessage(sentence);
}

void NumbersPanel::workOutErrors()
{
    if (!m_material)
        return;
    tell(Errors, tr("Working out the errors…"));
    m_jobs.start(tr("Errors"),
                 [this, material = m_material, before = m_before,
                  changes = m_errors->changes()](const base::Work& work) -> JobRunner::Delivery {
                     auto result = std::make_shared<base::Result<numbers::ErrorReport>>(
                         [&]() -> base::Result<numbers::ErrorReport> {
                             GB_ASSIGN(const engine::CalibratedPtr model, numbers::changed(*material, changes, work));
                             GB_ASSIGN(const auto converted, numbers::convertedCopy(*model, work));
                             return numbers::opErrors(*material, *converted, work);
                         }());
                     return [this, result, before, plain = changes.empty()] {
                         if (!*result) {
                             tell(Errors, sentenceOf(result->error()));
                             return;
                         }
                         m_fresh.insert(Errors);
                         if (plain)
                             m_before = std::make_shared<const numbers::ErrorReport>(**result);
                         m_errors->setReport(**result, before.get());
                         Q_EMIT overlayChanged(numbers::overlayOf(**result, numbers::ErrorFigure::LocalSqnr));
                     };
                 });
}

void NumbersPanel::workOutSheet(Tab tab)
{
    tell(tab, tr("Working out the figures…"));
    struct Made {
        numbers::Sheet sheet;
        std::vector<numbers::History> histories;
    };
    m_jobs.start(tabText(tab),
                 [this, tab, material = m_material,
                  recording = m_session->recording()](const base::Work& work) -> JobRunner::Delivery {
                     auto result = std::make_shared<base::Result<Made>>([&]() -> base::Result<Made> {
                         Made made;
                         if (tab == Gains) {
                             GB_ASSIGN(made.sheet, numbers::gainSheet(*material, work));
                         } else if (tab == QParams) {
                             GB_ASSIGN(const auto rows, numbers::qparamsRows(recording));
                             made.sheet = numbers::qparamsSheet(rows);
                         } else if (tab == Storage) {
                             GB_ASSIGN(const numbers::Storage storage, numbers::storageOf(recording));
                             made.sheet = numbers::storageSheet(storage);
                         } else {
                             made.histories = numbers::historiesOf(*recording);
                         }
                         return made;
                     }());
                     return [this, tab, result] {
                         if (!*result) {
                             tell(tab, sentenceOf(result->error()));
                             return;
                         }
                         m_fresh.insert(tab);
                         if (tab == Batches)
                             m_batches->setHistories(std::move((*result)->histories));
                         else
                             sheet(tab).setSheet(std::move((*result)->sheet));
                     };
                 });
}

/// The node whose values the observer of the selection sees; else the selected node itself.
ir::NodeId NumbersPanel::zooSite() const
{
    const Selected& selected = m_selection->current();
    if (selected.kind == Selected::Kind::Label)
        return selected.label.node;
    return selected.node;
}

void NumbersPanel::followSelection()
{
    if (!isVisible() || currentIndex() != Zoo || !m_material)
        return;
    const ir::GraphModule& model = *m_material->calibrated->module;
    ir::NodeId site = zooSite();
    std::shared_ptr<quant::Observer> observer;
    if (const ObserverRow* row = m_source.find(m_selection->current()); row && !row->inputs.empty()) {
        site = row->inputs.front();
        const ir::Node* node = row->nodes.empty() ? nullptr : model.graph().find(row->nodes.front());
        observer = node ? std::dynamic_pointer_cast<quant::Observer>(model.module(node->target())) : nullptr;
    }
    if (!model.graph().find(site)) {
        if (m_zooSite == ir::kNoNode)
            m_zoo->setMessage(tr("Select a node, an edge's label or an observer: its values are what the zoo sees."));
        return;
    }
    if (site == m_zooSite)
        return;
    m_zooSite = site;
    const quant::ObserverSettings settings = observer ? observer->settings() : quant::ObserverSettings();
    const bool perChannel = settings.qscheme && ir::isPerChannel(*settings.qscheme);
    std::vector<ir::ObserverConstructor> observers = numbers::usualObservers(
        settings.dtype.value_or(ir::DType::Int8), settings.quantMin.value_or(-128), settings.quantMax.value_or(127),
        perChannel ? std::optional(settings.chAxis.value_or(0)) : std::nullopt);
    if (observer)
        if (ir::ObserverConstructor own = numbers::constructorOf(*observer); !own.name.empty())
            observers.insert(observers.begin(), std::move(own)); // what the run has, first
    m_zooBar->setObservers(std::move(observers));
    workOutZoo();
}

void NumbersPanel::workOutZoo()
{
    if (!m_material || m_zooSite == ir::kNoNode)
        return;
    m_zoo->setMessage(tr("Running the observers…"));
    m_jobs.start(tr("Observer zoo"),
                 [this, material = m_material, site = m_zooSite,
                  observers = m_zooBar->observers()](const base::Work& work) -> JobRunner::Delivery {
                     auto result =
                         std::make_shared<base::Result<ZooResult>>(runZooAt(*material, site, observers, work));
                     return [this, result] {
                         if (!*result) {
                             m_zoo->setMessage(sentenceOf(result->error()));
                             return;
                         }
                         m_zoo->setAnimals(std::move((*result)->animals), (*result)->what);
                     };
                 });
}

} // namespace gb::views
