#include "inspector/inspector_page.h"

#include "inspector/event_list_model.h"
#include "inspector/facts_html.h"
#include "inspector/node_facts.h"
#include "plots/qparams_model.h"
#include "plots/qparams_text.h"
#include "session/translate.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace gb::views {
namespace {

QLabel* makeLabel(QWidget* parent, FontRole font)
{
    auto* label = new QLabel(parent);
    label->setFont(Theme::font(font));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setContentsMargins(6, 2, 6, 2);
    label->setMinimumWidth(1);
    return label;
}

template <class Model>
QTableView* makeTable(Model* model, const QString& name, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setAccessibleName(name);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    auto* copy = new QShortcut(QKeySequence::Copy, table);
    copy->setContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QShortcut::activated, table, [model] { QApplication::clipboard()->setText(model->tsv()); });
    return table;
}

QWidget* stacked(QWidget* parent, QWidget* above, QWidget* below)
{
    auto* page = new QWidget(parent);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(above);
    layout->addWidget(below, 1);
    return page;
}

void colour(QWidget* label, const QColor& ink)
{
    QPalette colours = label->palette();
    colours.setColor(QPalette::WindowText, ink);
    label->setPalette(colours);
}

} // namespace

InspectorPage::InspectorPage(Session* session, Selection* selection, const Explanation* explanation, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_selection(selection)
    , m_explanation(explanation)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_source(session)
    , m_reasons(explanation)
    , m_title(makeLabel(this, FontRole::NodeName))
    , m_role(makeLabel(this, FontRole::Caption))
    , m_tabs(new QTabWidget(this))
    , m_events(new EventListModel(this))
    , m_qparams(new QParamsModel(this))
{
    makeTabs();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_role);
    layout->addWidget(m_tabs, 1);
    connect(m_session, &Session::recordingChanged, this, &InspectorPage::refresh);
    connect(m_session, &Session::cursorChanged, this, &InspectorPage::refresh);
    connect(m_explanation, &Explanation::changed, this, [this] {
        if (isVisible())
            showWhy();
    });
    connect(m_verdict, &QTextBrowser::anchorClicked, this, &InspectorPage::follow);
    connect(m_facts, &QTextBrowser::anchorClicked, this, &InspectorPage::follow);
    connect(m_why, &QTableView::clicked, this,
            [this](const QModelIndex& index) { m_session->setCursor(m_events->eventOf(index.row())); });
    connect(m_why, &QTableView::activated, this,
            [this](const QModelIndex& index) { m_session->setCursor(m_events->eventOf(index.row())); });
    setTheme(*m_theme);
}

void InspectorPage::makeTabs()
{
    m_facts = new QTextBrowser(m_tabs);
    m_facts->setOpenLinks(false);
    m_facts->setFont(Theme::font(FontRole::NodeText));
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->setAccessibleName(tr("Facts"));
    m_verdict = new QTextBrowser(m_tabs);
    m_verdict->setOpenLinks(false);
    m_verdict->setFont(Theme::font(FontRole::NodeText));
    m_verdict->setFrameShape(QFrame::NoFrame);
    m_verdict->setAccessibleName(tr("Why"));
    m_why = makeTable(m_events, tr("Events that touched this node"), m_tabs);
    m_formula = makeLabel(m_tabs, FontRole::Code);
    m_cards = makeTable(m_qparams, tr("Qparams"), m_tabs);
    m_code = new QPlainTextEdit(m_tabs);
    m_code->setReadOnly(true);
    m_code->setFont(Theme::font(FontRole::Code));
    m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_code->setFrameShape(QFrame::NoFrame);
    m_code->setAccessibleName(tr("Source code that made this node"));
    m_tabs->addTab(m_facts, tr("Facts"));
    auto* why = new QSplitter(Qt::Vertical, m_tabs);
    why->addWidget(m_verdict);
    why->addWidget(m_why);
    why->setChildrenCollapsible(false);
    why->setStretchFactor(0, 3);
    why->setStretchFactor(1, 2);
    m_tabs->addTab(why, tr("Why"));
    m_tabs->addTab(stacked(m_tabs, m_formula, m_cards), tr("Qparams"));
    m_tabs->addTab(m_code, tr("Code"));
    m_tabs->setDocumentMode(true);
}

void InspectorPage::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_whyShown.reset(); // its links have the theme's ink
    m_events->setTheme(theme);
    m_qparams->setTheme(theme);
    colour(m_title, theme.ink(Ink::Text));
    colour(m_role, theme.ink(Ink::Muted));
    colour(m_formula, theme.ink(Ink::Text));
    refresh();
}

void InspectorPage::showTab(int tab)
{
    m_tabs->setCurrentIndex(tab);
}

void InspectorPage::showHistory()
{
    refresh();
    m_verdict->scrollToAnchor(QStringLiteral("history"));
}

int InspectorPage::tab() const
{
    return m_tabs->currentIndex();
}

QString InspectorPage::text() const
{
    return m_text;
}

QString InspectorPage::verdict() const
{
    return m_verdict->toPlainText();
}

QString InspectorPage::code() const
{
    return m_code->toPlainText();
}

void InspectorPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void InspectorPage::showSelected(const Selected& selected)
{
    m_selected = selected;
    refresh();
}

/// The node that the page is about: of a group that of its observer.
ir::NodeId InspectorPage::node()
{
    if (m_selected.kind != Selected::Kind::Group)
        return m_selected.node;
    const ObserverRow* row = m_source.find(m_selected);
    return row ? row->nodes.front() : ir::kNoNode;
}

void InspectorPage::refresh()
{
    if (!isVisible())
        return;
    showFacts();
    showWhy();
    showQParams();
}

void InspectorPage::showFacts()
{
    NodeFacts facts;
    const ir::NodeId id = node();
    if (m_session->recording() && id != ir::kNoNode)
        facts = nodeFacts(*m_session->recording(), *m_session->moment(), m_session->cursor(), id);
    QString role = facts.role;
    if (facts.name.isEmpty())
        role = m_session->recording() ? tr("Nothing is selected.") : tr("No recording.");
    else if (!facts.present)
        role = tr("%1, not in the graph at this moment").arg(facts.role);
    else if (m_selected.kind == Selected::Kind::Label)
        role = m_selected.label.isEdge() ? tr("%1; an input label of it is selected").arg(facts.role)
                                         : tr("%1; its output label is selected").arg(facts.role);
    else if (m_selected.kind == Selected::Kind::Group)
        role = tr("observer of sharing group %1").arg(m_selected.group);
    m_title->setText(facts.name);
    m_title->setVisible(!facts.name.isEmpty());
    m_role->setText(role);
    m_tabs->setVisible(!facts.name.isEmpty());
    m_text = facts.name + QLatin1Char('\n') + role + QLatin1Char('\n') + plainText(facts);
    const int scrolled = facts.name == m_shownName ? m_facts->verticalScrollBar()->value() : 0;
    m_shownName = facts.name;
    m_facts->setHtml(factsHtml(facts, *m_theme));
    m_facts->verticalScrollBar()->setValue(scrolled); // a step must not throw the reader to the top
    m_code->setPlainText(facts.stackTrace.isEmpty() ? tr("No stack trace was recorded for this node.")
                                                    : facts.stackTrace);
}

/// What explain says of the node, and where its label came from.
QString InspectorPage::verdictHtml(ir::NodeId id)
{
    // labels and names where the labels are complete; of a node that came later at the cursor
    if (m_labelsOf != m_session->recording()) {
        m_labelsOf = m_session->recording();
        m_labels = m_session->momentOfStage(QStringLiteral("annotated"));
    }
    trace::MomentPtr moment = m_labels ? m_labels : m_session->moment();
    const auto graphOf = [id](const trace::Moment& at) -> const ir::Graph* {
        for (const auto& [path, graph] : at.graphs)
            if (!graph->graph->nameOf(id).empty())
                return graph->graph.get();
        return nullptr;
    };
    const ir::Graph* graph = graphOf(*moment);
    if (!graph) {
        moment = m_session->moment();
        graph = graphOf(*moment);
    }
    QString html;
    if (graph)
        html = whyHtml(*m_session->recording(), *graph, id, m_reasons.of(id), *m_theme);
    if (!m_reasons.problem().isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(m_reasons.problem().toHtmlEscaped());
    else if (m_explanation->busy())
        html += QStringLiteral("<p>%1</p>").arg(tr("The reasons are being worked out…"));
    if (html.isEmpty())
        html = tr("Labels are given to ops; nothing was decided about this node.").toHtmlEscaped();
    return html;
}

void InspectorPage::showWhy()
{
    const trace::RecordingPtr& recording = m_session->recording();
    const ir::NodeId id = node();
    const WhyShown wanted{recording, m_explanation->report(), id, m_explanation->busy()};
    if (m_whyShown == wanted)
        return;
    m_whyShown = wanted;
    const bool any = recording && id != ir::kNoNode;
    m_verdict->setHtml(any ? verdictHtml(id) : QString());
    m_events->setEvents(recording, any ? eventsOf(*recording, id) : std::vector<int>());
    m_why->resizeColumnsToContents();
    for (int column = 0; column < EventListModel::ColumnCount; ++column)
        m_why->setColumnWidth(column, std::min(m_why->columnWidth(column), 420));
}

void InspectorPage::showQParams()
{
    const ObserverRow* row = m_source.find(m_selected);
    if (!row) {
        m_formula->setText(tr("No observer serves this node."));
        m_qparams->setCards({});
        return;
    }
    const HistogramFacts facts = factsOf(*row);
    const QStringList lines = QStringList{tr("%1, %2").arg(row->name(), m_source.when())}
                              + formulaLines(facts, row->info->settings) + noticeLines(facts, row->info->settings);
    m_formula->setText(lines.join(QLatin1Char('\n')));
    m_qparams->setCards(qparamsEntries(*row, facts));
    m_cards->resizeColumnToContents(0);
    m_cards->horizontalHeader()->setStretchLastSection(true);
}

void InspectorPage::follow(const QUrl& link)
{
    bool isNumber = false;
    const uint number = link.path().toUInt(&isNumber);
    if (!isNumber)
        return;
    if (link.scheme() == QLatin1String("event"))
        m_session->setCursor(static_cast<int>(number));
    else if (link.scheme() == QLatin1String("node"))
        m_selection->selectNode(number);
}

} // namespace gb::views
