#include "figures/hand_view.h"

#include "message/selectable_text.h"
#include "observers/number_text.h"
#include "quant/observer.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace gb::views {
namespace {

QString text(const std::string& name)
{
    return QString::fromStdString(name);
}

/// A fake quantize of an observer: the same keywords go to the observer inside.
ir::ObserverConstructor fakeQuantizeOf(const ir::ObserverConstructor& observer)
{
    ir::ObserverConstructor out{"FakeQuantize", {{"observer", observer.name}}};
    out.arguments.insert(out.arguments.end(), observer.arguments.begin(), observer.arguments.end());
    return out;
}

QString gapText(const numbers::Gap& gap)
{
    const auto sqnr = gap.sqnr();
    if (gap.equal())
        return HandView::tr("the output is the float model's, bit for bit");
    return HandView::tr("output against float: %1 dB, largest difference %2")
        .arg(shortText(sqnr), shortText(gap.largest));
}

QString verdictText(const numbers::HandVerdict& verdict)
{
    const auto yesNo = [](bool yes) { return yes ? HandView::tr("yes") : HandView::tr("no"); };
    QStringList lines{HandView::tr("same scales: %1 · same ops: %2 · largest difference of the outputs: %3")
                          .arg(yesNo(verdict.sameScales), yesNo(verdict.sameOps), fullText(verdict.largestDifference))};
    for (const std::string& note : verdict.notes)
        lines << text(note);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

HandView::HandView(QWidget* parent)
    : QWidget(parent)
    , m_settings(new ZooBar(this))
    , m_fake(new QCheckBox(tr("Fake quantize"), this))
    , m_producer(new QComboBox(this))
    , m_consumer(new QComboBox(this))
    , m_observer(new QComboBox(this))
    , m_quantize(new QComboBox(this))
    , m_switches(new QLabel(tr("Switches"), this))
    , m_observerOn(new QCheckBox(tr("observer"), this))
    , m_fakeQuantOn(new QCheckBox(tr("fake quant"), this))
    , m_history(new QListWidget(this))
    , m_outcome(new QLabel(this))
{
    m_settings->setObservers({{"", {{"dtype", ir::DType::Int8}, {"quant_min", -128}, {"quant_max", 127}}}});
    m_settings->hideButton();
    m_producer->setAccessibleName(tr("What is observed"));
    m_consumer->setAccessibleName(tr("For whom"));
    m_observer->setAccessibleName(tr("Observer"));
    m_quantize->setAccessibleName(tr("Quantize"));
    m_history->setAccessibleName(tr("Steps"));
    m_observerOn->setToolTip(tr("observer_enabled of this fake quantize, or of all"));
    m_fakeQuantOn->setToolTip(tr("fake_quant_enabled of this fake quantize, or of all"));
    makeSelectableText(m_outcome);
    auto* top = new QHBoxLayout;
    top->addWidget(m_settings, 1);
    top->addWidget(m_fake);
    const auto row = [this](const QWidgetList& widgets) {
        auto* line = new QHBoxLayout;
        for (QWidget* widget : widgets)
            line->addWidget(widget);
        line->addStretch(1);
        return line;
    };
    auto* left = new QVBoxLayout;
    left->setContentsMargins(6, 0, 6, 2);
    left->setSpacing(3);
    left->addLayout(
        row({new QLabel(tr("On"), this), m_producer, m_consumer,
             button(tr("Insert"), tr("Put the observer there"), &HandView::insert),
             button(tr("Take prepare's"), tr("Go on from the observers that prepare put in, calibrated"),
                    &HandView::takePrepared),
             button(tr("Run batches"), tr("Show the calibration batches to all observers"), &HandView::calibrate)}));
    left->addLayout(row({new QLabel(tr("Observer"), this), m_observer,
                         button(tr("Replace by q/dq"), tr("Convert this observer"), &HandView::replace), m_switches,
                         m_observerOn, m_fakeQuantOn}));
    left->addLayout(row(
        {new QLabel(tr("Quantize"), this), m_quantize,
         button(tr("Fold"), tr("Compute the quantized weight now"), &HandView::fold),
         button(tr("Undo"), tr("Take the last step back"), &HandView::undo),
         button(tr("Hold against the API"), tr("Compare with what prepare and convert made"), &HandView::compare)}));
    left->addWidget(m_outcome);
    left->addStretch(1);
    auto* middle = new QHBoxLayout;
    middle->addLayout(left, 3);
    middle->addWidget(m_history, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addLayout(middle, 1);
    connect(m_producer, &QComboBox::currentIndexChanged, this, &HandView::fillConsumers);
    connect(m_observer, &QComboBox::currentIndexChanged, this, &HandView::showSwitches);
    for (QCheckBox* box : {m_observerOn, m_fakeQuantOn})
        connect(box, &QCheckBox::clicked, this, &HandView::flip);
    refresh();
}

QToolButton* HandView::button(const QString& label, const QString& tip, void (HandView::*slot)())
{
    auto* out = new QToolButton(this);
    out->setText(label);
    out->setToolTip(tip);
    connect(out, &QToolButton::clicked, this, slot);
    m_buttons << out;
    return out;
}

void HandView::setTheme(const Theme& theme)
{
    QPalette colours = m_outcome->palette();
    colours.setColor(QPalette::WindowText, theme.ink(Ink::Text));
    m_outcome->setPalette(colours);
}

void HandView::setMaterial(numbers::MaterialPtr material)
{
    m_jobs.cancel();
    m_material = std::move(material);
    m_bench = m_material ? std::make_shared<numbers::HandBench>(*m_material) : nullptr;
    m_outcome->setText(m_bench ? tr("The float model. Choose an edge or an output and an observer.")
                               : tr("A recording has no weights and no batches: open the model itself."));
    refresh();
}

QString HandView::outcome() const
{
    return m_outcome->text();
}

QString HandView::place() const
{
    return m_consumer->currentIndex() <= 0
               ? m_producer->currentText()
               : m_producer->currentText() + QStringLiteral(" -> ") + m_consumer->currentText();
}

numbers::Sheet HandView::sheet() const
{
    numbers::Sheet out;
    out.what = "hand";
    out.columns = {{"step", base::message("step")}, {"what", base::message("what was done")}};
    if (!m_bench)
        return out;
    const std::vector<std::string> steps = m_bench->history();
    for (std::size_t i = 0; i < steps.size(); ++i)
        out.rows.push_back({{static_cast<std::int64_t>(i), steps[i]}});
    for (const QString& line : outcome().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        out.notes.push_back(base::message("{0}", line.toStdString()));
    return out;
}

void HandView::choose(const QString& producer, const QString& consumer)
{
    const int at = m_producer->findText(producer);
    if (at < 0)
        return;
    m_producer->setCurrentIndex(at);
    m_consumer->setCurrentIndex(consumer.isEmpty() ? 0 : std::max(0, m_consumer->findText(consumer)));
}

void HandView::refresh()
{
    const bool there = m_bench != nullptr;
    for (QToolButton* b : m_buttons)
        b->setEnabled(there && !m_jobs.running());
    const QString producer = m_producer->currentText();
    const QString observer = m_observer->currentIndex() > 0 ? m_observer->currentText() : QString();
    {
        const QSignalBlocker same(m_observer);
        const QSignalBlocker quiet(m_producer);
        m_producer->clear();
        m_observer->clear();
        m_quantize->clear();
        m_observer->addItem(tr("all"));
        const ir::Node* node = there ? m_bench->model().graph().first() : nullptr;
        for (; node; node = node->next()) {
            if (node->op() == ir::Op::CallModule)
                m_observer->addItem(text(node->name()));
            else if (node->target().starts_with("quantized_decomposed.quantize"))
                m_quantize->addItem(text(node->name()));
            else if (node->op() != ir::Op::Output && !node->target().starts_with("quantized_decomposed"))
                m_producer->addItem(text(node->name()));
        }
        m_producer->setCurrentIndex(std::max(0, m_producer->findText(producer)));
    }
    chooseObserver(observer);
    showSwitches();
    fillConsumers();
    m_history->clear();
    if (there)
        for (const std::string& step : m_bench->history())
            m_history->addItem(text(step));
    m_history->setCurrentRow(m_history->count() - 1);
}

void HandView::chooseObserver(const QString& name)
{
    m_observer->setCurrentIndex(name.isEmpty() ? 0 : std::max(0, m_observer->findText(name)));
}

std::pair<Qt::CheckState, Qt::CheckState> HandView::switches() const
{
    return {m_observerOn->checkState(), m_fakeQuantOn->checkState()};
}

/// As the chosen fake quantize has them; for all, partially where they differ. An observer has none.
void HandView::showSwitches()
{
    const std::string wanted = m_observer->currentIndex() > 0 ? m_observer->currentText().toStdString() : std::string();
    int count = 0;
    int observing = 0;
    int rounding = 0;
    if (m_bench)
        for (const auto& [target, module] : m_bench->model().modules()) {
            const auto made = std::dynamic_pointer_cast<quant::Observer>(module);
            if (!made || !made->inner() || (!wanted.empty() && target != wanted))
                continue;
            ++count;
            observing += made->observerEnabled() ? 1 : 0;
            rounding += made->fakeQuantEnabled() ? 1 : 0;
        }
    const auto show = [count, this](QCheckBox* box, int on) {
        box->setEnabled(count > 0 && !m_jobs.running());
        box->setTristate(on > 0 && on < count); // a click on "some" sets all
        box->setCheckState(on == 0 ? Qt::Unchecked : on == count ? Qt::Checked : Qt::PartiallyChecked);
    };
    m_switches->setEnabled(count > 0);
    show(m_observerOn, observing);
    show(m_fakeQuantOn, rounding);
}

void HandView::fillConsumers()
{
    m_consumer->clear();
    m_consumer->addItem(tr("its output, for all"));
    const ir::Node* node = m_bench ? m_bench->model().graph().find(m_producer->currentText().toStdString()) : nullptr;
    for (const ir::Node* user : node ? node->users() : std::vector<ir::Node*>())
        m_consumer->addItem(text(user->name()));
}

void HandView::run(const QString& title, Step step)
{
    if (!m_bench || m_jobs.running())
        return;
    for (QToolButton* b : m_buttons)
        b->setEnabled(false);
    for (QCheckBox* box : {m_observerOn, m_fakeQuantOn})
        box->setEnabled(false);
    // the job works on a copy: a cancelled step leaves the bench as it is
    auto bench = std::make_shared<numbers::HandBench>(*m_bench);
    m_jobs.start(
        title,
        [this, bench, material = m_material, step = std::move(step)](const base::Work& work) -> JobRunner::Delivery {
            const std::lock_guard turn(*material->turn);
            auto result = std::make_shared<base::Result<QString>>(step(*bench, work));
            return [this, bench, result] {
                if (*result)
                    m_bench = bench;
                m_outcome->setText(*result ? **result : QString::fromStdString(result->error().text()));
                QMetaObject::invokeMethod(this, &HandView::refresh, Qt::QueuedConnection); // when the job is over
            };
        });
}

void HandView::insert()
{
    ir::ObserverConstructor observer = m_settings->described();
    if (m_fake->isChecked())
        observer = fakeQuantizeOf(observer);
    const std::string producer = m_producer->currentText().toStdString();
    const std::string consumer =
        m_consumer->currentIndex() <= 0 ? std::string() : m_consumer->currentText().toStdString();
    run(tr("Insert"), [=](numbers::HandBench& bench, const base::Work&) -> base::Result<QString> {
        GB_ASSIGN(const std::string name, bench.insert(observer, producer, consumer));
        return tr("%1 is there; it has seen nothing yet").arg(text(name));
    });
}

void HandView::takePrepared()
{
    run(tr("Take prepare's observers"), [](numbers::HandBench& bench, const base::Work& work) -> base::Result<QString> {
        bench.takePrepared();
        GB_ASSIGN(const numbers::Gap gap, bench.outputGap(work));
        return gapText(gap);
    });
}

void HandView::calibrate()
{
    run(tr("Run batches"), [](numbers::HandBench& bench, const base::Work& work) -> base::Result<QString> {
        GB_TRY(bench.calibrate(work));
        GB_ASSIGN(const numbers::Gap gap, bench.outputGap(work));
        return gapText(gap);
    });
}

void HandView::replace()
{
    const std::string observer =
        m_observer->currentIndex() <= 0 ? std::string() : m_observer->currentText().toStdString();
    run(tr("Replace"), [=](numbers::HandBench& bench, const base::Work& work) -> base::Result<QString> {
        std::vector<std::string> names{observer};
        if (observer.empty()) {
            names.clear();
            for (const ir::Node* node = bench.model().graph().first(); node; node = node->next())
                if (node->op() == ir::Op::CallModule)
                    names.push_back(node->name());
        }
        for (const std::string& name : names)
            GB_TRY(bench.replaceByQdq(name));
        GB_ASSIGN(const numbers::Gap gap, bench.outputGap(work));
        return gapText(gap);
    });
}

void HandView::fold()
{
    const std::string quantize = m_quantize->currentText().toStdString();
    run(tr("Fold"), [=](numbers::HandBench& bench, const base::Work&) -> base::Result<QString> {
        GB_TRY(bench.fold(quantize));
        return tr("%1 is a constant now").arg(text(quantize));
    });
}

void HandView::undo()
{
    if (!m_bench || m_jobs.running())
        return;
    m_bench->undo();
    m_outcome->clear();
    refresh();
}

void HandView::compare()
{
    run(tr("Hold against the API"), [](numbers::HandBench& bench, const base::Work& work) -> base::Result<QString> {
        GB_ASSIGN(const numbers::HandVerdict verdict, bench.compareWithApi(work));
        return verdictText(verdict);
    });
}

void HandView::flip()
{
    const std::string observer =
        m_observer->currentIndex() <= 0 ? std::string() : m_observer->currentText().toStdString();
    const bool observerOn = m_observerOn->isChecked();
    const bool fakeQuantOn = m_fakeQuantOn->isChecked();
    run(tr("Flip"), [=](numbers::HandBench& bench, const base::Work& work) -> base::Result<QString> {
        GB_TRY(bench.setSwitches(observer, observerOn, fakeQuantOn));
        GB_ASSIGN(const numbers::Gap gap, bench.outputGap(work));
        return gapText(gap);
    });
}

} // namespace gb::views
