// The Why page of a node: verdict, sentence, evidence, rules tried, what would change it; then the label's history.
#include "inspector/reasons.h"

#include "explain/cascade.h"
#include "explain/provenance.h"
#include "quantizers/report.h"
#include "session/translate.h"

#include <QCoreApplication>

namespace gb::views {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("why", text);
}

QString from(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

class Page {
public:
    explicit Page(const Theme& theme)
        : m_muted(theme.ink(Ink::Muted).name())
        , m_link(theme.ink(Ink::Selection).name())
    {
    }

    void heading(const QString& text) { m_html += QStringLiteral("<p><b>%1</b></p>").arg(text); }
    void line(const QString& html) { m_html += QStringLiteral("<div>%1</div>").arg(html); }
    void begin(const QString& title)
    {
        m_html += QStringLiteral("<p style='color:%1'>%2</p><ul style='margin:0 0 0 -24px'>").arg(m_muted, title);
    }
    void item(const QString& html) { m_html += QStringLiteral("<li>%1</li>").arg(html); }
    void end() { m_html += QStringLiteral("</ul>"); }
    [[nodiscard]] QString event(int index) const
    {
        return QStringLiteral("<a style='color:%1' href='event:%2'>%3</a>")
            .arg(m_link)
            .arg(index)
            .arg(tr(QT_TRANSLATE_NOOP("why", "event %1")).arg(index));
    }
    [[nodiscard]] const QString& html() const { return m_html; }

private:
    QString m_html;
    QString m_muted;
    QString m_link;
};

void addReason(Page& page, const Reason& reason)
{
    const QString kind = reason.isUnlabelled()                      ? tr(QT_TRANSLATE_NOOP("why", "No label"))
                         : reason.code.startsWith(QLatin1Char('C')) ? tr(QT_TRANSLATE_NOOP("why", "No q/dq"))
                                                                    : tr(QT_TRANSLATE_NOOP("why", "No observer"));
    page.heading(QStringLiteral("%1 · %2 · %3").arg(kind, reason.code, reason.verdict));
    page.line(reason.sentence.toHtmlEscaped() + QLatin1Char('.'));
    if (!reason.evidence.isEmpty()) {
        page.begin(tr(QT_TRANSLATE_NOOP("why", "Evidence")));
        for (const QString& fact : reason.evidence)
            page.item(fact.toHtmlEscaped());
        page.end();
    }
    if (!reason.rules.empty()) {
        page.begin(tr(QT_TRANSLATE_NOOP("why", "Rules tried, in order")));
        for (const RefusedRule& rule : reason.rules)
            page.item(QStringLiteral("<b>%1</b> ✕ %2 (%3)")
                          .arg(rule.rule.toHtmlEscaped(), rule.failed.toHtmlEscaped(), page.event(rule.event)));
        page.end();
    }
    if (!reason.nearest.isEmpty())
        page.line(tr(QT_TRANSLATE_NOOP("why", "Closest came: <b>%1</b>.")).arg(reason.nearest.toHtmlEscaped()));
    if (!reason.toChange.isEmpty())
        page.line(tr(QT_TRANSLATE_NOOP("why", "To change it: %1.")).arg(reason.toChange.toHtmlEscaped()));
}

/// What prepare is asked for around the node: each input edge and the output, in the order of the arguments.
void addOutcome(Page& page, const ir::Graph& graph, ir::NodeId id)
{
    const ir::Node* node = graph.find(id);
    if (!node || node->op() != ir::Op::CallFunction)
        return;
    const ir::AnnotationPtr& label = node->annotation();
    QStringList parts;
    for (const ir::Node* input : node->inputs()) {
        const ir::Spec* spec = label ? label->input(input->id()) : nullptr;
        parts << QStringLiteral("%1: %2").arg(from(input->name()),
                                              spec ? from(quantizers::describe(*spec, graph)) : QStringLiteral("—"));
    }
    parts << tr(QT_TRANSLATE_NOOP("why", "output: %1"))
                 .arg(label && label->output ? from(quantizers::describe(label->output, graph)) : QStringLiteral("—"));
    page.begin(tr(QT_TRANSLATE_NOOP("why", "You get")));
    for (const QString& part : parts)
        page.item(part);
    page.end();
}

void addHistory(Page& page, const std::vector<explain::LabelWrite>& writes)
{
    if (writes.empty())
        return;
    page.line(QStringLiteral("<a name='history'></a>"));
    page.begin(tr(QT_TRANSLATE_NOOP("why", "History of the label")));
    for (const explain::LabelWrite& w : writes) {
        QString html = page.event(w.event) + QStringLiteral(": ") + translated(w.sentence).toHtmlEscaped();
        if (w.source.line > 0)
            html += QStringLiteral(" · %1:%2").arg(from(w.source.file)).arg(w.source.line);
        for (const explain::LabelChange& change : w.changes)
            html += QStringLiteral("<br>%1: %2 → %3").arg(from(change.part), from(change.before), from(change.after));
        page.item(html);
    }
    page.end();
}

void addSettings(Page& page, const std::vector<explain::CascadeEntry>& cascade)
{
    if (cascade.empty())
        return;
    page.begin(tr(QT_TRANSLATE_NOOP("why", "Settings that came to it, in order")));
    for (const explain::CascadeEntry& entry : cascade) {
        const QString setting = entry.place.empty()
                                    ? from(entry.setting)
                                    : QStringLiteral("%1 · %2").arg(from(entry.place), from(entry.setting));
        const char* form = entry.state == explain::CascadeEntry::State::Wins         ? "<b>%1</b>"
                           : entry.state == explain::CascadeEntry::State::Overridden ? "<s>%1</s>"
                                                                                     : "%1";
        page.item(QString::fromLatin1(form).arg(setting)
                  + QStringLiteral(" (%1): %2, %3")
                        .arg(QCoreApplication::translate("core", explain::name(entry.state)), from(entry.because),
                             page.event(entry.event)));
    }
    page.end();
}

} // namespace

QString whyHtml(const trace::Recording& recording, const ir::Graph& graph, ir::NodeId node,
                const std::vector<Reason>& reasons, const Theme& theme)
{
    Page page(theme);
    const auto writes = explain::labelHistory(recording, graph, node);
    if (!writes.empty())
        page.heading(tr(QT_TRANSLATE_NOOP("why", "Labelled at event %1: %2."))
                         .arg(writes.back().event)
                         .arg(translated(recording.events[static_cast<std::size_t>(writes.back().event)].sentence)
                                  .toHtmlEscaped()));
    for (const Reason& reason : reasons)
        addReason(page, reason);
    addOutcome(page, graph, node);
    addHistory(page, writes);
    addSettings(page, explain::settingsCascade(recording, node));
    return page.html();
}

} // namespace gb::views
