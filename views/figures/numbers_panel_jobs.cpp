// What the numbers panel works out, off the UI thread.
#include "figures/batches_view.h"
#include "figures/channels_view.h"
#include "figures/error_view.h"
#include "figures/hand_view.h"
#include "figures/numbers_panel.h"
#include "figures/sheet_view.h"
#include "figures/zoo_bar.h"
#include "figures/zoo_view.h"
#include "numbers/qparams_rows.h"
#include "numbers/storage.h"
#include "numbers/what_if.h"

#include <mutex>

namespace gb::views {
namespace {

QString sentenceOf(const base::Error& error)
{
    return QString::fromStdString(error.text());
}

/// The figures with the changes made, and where more could be changed.
struct ErrorsResult {
    numbers::ErrorReport report;
    std::vector<numbers::ObserverSite> sites;
};

base::Result<ErrorsResult> errorsWith(const numbers::Material& material, const std::vector<numbers::Change>& changes,
                                      const base::Work& work)
{
    const std::lock_guard turn(*material.turn);
    GB_ASSIGN(const engine::CalibratedPtr model, numbers::changed(material, changes, work));
    GB_ASSIGN(const auto converted, numbers::convertedCopy(*model, work));
    ErrorsResult out;
    GB_ASSIGN(out.report, numbers::opErrors(material, *converted, work));
    out.sites = numbers::observerSites(material);
    return out;
}

/// What a tab shows that is a list: a sheet, or the histories.
struct Made {
    numbers::Sheet sheet;
    std::vector<numbers::History> histories;
};

base::Result<Made> makeFor(NumbersPanel::Tab tab, const numbers::MaterialPtr& material,
                           const trace::RecordingPtr& recording, const base::Work& work)
{
    Made made;
    if (tab == NumbersPanel::Gains) {
        const std::lock_guard turn(*material->turn);
        GB_ASSIGN(made.sheet, numbers::gainSheet(*material, work));
    } else if (tab == NumbersPanel::QParams) {
        GB_ASSIGN(const auto rows, numbers::qparamsRows(recording));
        made.sheet = numbers::qparamsSheet(rows);
    } else if (tab == NumbersPanel::Storage) {
        GB_ASSIGN(const numbers::Storage storage, numbers::storageOf(recording));
        made.sheet = numbers::storageSheet(storage);
    } else {
        made.histories = numbers::historiesOf(*recording);
    }
    return made;
}

} // namespace

void NumbersPanel::workOutErrors()
{
    if (!m_material)
        return;
    tell(Errors, tr("Working out the errors…"));
    const auto job = [this, material = m_material, before = m_before,
                      changes = m_errors->changes()](const base::Work& work) -> JobRunner::Delivery {
        auto result = std::make_shared<base::Result<ErrorsResult>>(errorsWith(*material, changes, work));
        return [this, result, before, material, plain = changes.empty()] {
            if (!*result) {
                tell(Errors, sentenceOf(result->error()));
                return;
            }
            m_fresh.insert(Errors);
            m_report = std::make_shared<const numbers::ErrorReport>(std::move((*result)->report));
            if (plain)
                m_before = m_report;
            m_errors->setSites(std::move((*result)->sites), &material->calibrated->module->graph());
            m_errors->setReport(*m_report, before.get());
            if (m_errors->painted())
                paintErrors();
        };
    };
    m_jobs.start(tr("Errors"), job);
}

/// Not before it is looked at: the bench is a copy of the model.
void NumbersPanel::beginByHand()
{
    m_fresh.insert(Hand);
    if (!m_material) {
        m_hand->setMaterial(nullptr);
        return;
    }
    m_hand->setMaterial(m_material);
    chooseByHand();
}

void NumbersPanel::workOutSheet(Tab tab)
{
    tell(tab, tr("Working out the figures…"));
    const auto job = [this, tab, material = m_material,
                      recording = m_session->recording()](const base::Work& work) -> JobRunner::Delivery {
        auto result = std::make_shared<base::Result<Made>>(makeFor(tab, material, recording, work));
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
    };
    m_jobs.start(tabText(tab), job);
}

/// The selected edge or output is where the next observer goes.
void NumbersPanel::chooseByHand()
{
    const Selected& selected = m_selection->current();
    if (!m_material || selected.kind == Selected::Kind::Nothing)
        return;
    const ir::Graph& graph = m_material->calibrated->module->graph();
    const ir::NodeId producer = zooSite();
    const bool edge = selected.kind == Selected::Kind::Label && selected.label.isEdge();
    if (!graph.find(producer) || (edge && !graph.find(selected.label.consumer)))
        return;
    m_hand->choose(QString::fromStdString(graph.nameOf(producer)),
                   edge ? QString::fromStdString(graph.nameOf(selected.label.consumer)) : QString());
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
    if (currentIndex() == Hand)
        chooseByHand();
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
        if (ir::ObserverConstructor own = numbers::constructorOf(*observer); !own.name.empty()) {
            const auto scheme = settings.qscheme.value_or(ir::QScheme::PerTensorAffine);
            std::erase_if(observers, [&](const ir::ObserverConstructor& usual) {
                return usual.name == own.name && numbers::schemeOf(usual) == scheme;
            });
            for (ir::ObserverConstructor& usual : observers) // the same eps, so that classes alone differ
                usual = numbers::completed(std::move(usual), own);
            observers.insert(observers.begin(), std::move(own)); // what the run has, first
        }
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
                     const std::lock_guard turn(*material->turn);
                     auto result = std::make_shared<base::Result<numbers::ZooFigure>>(
                         numbers::zooFigure(*material, site, observers, work));
                     return [this, result] {
                         if (!*result) {
                             m_zoo->setMessage(sentenceOf(result->error()));
                             return;
                         }
                         m_zoo->setFigure(std::move(**result));
                     };
                 });
}

} // namespace gb::views
