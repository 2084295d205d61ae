#include "export/speaker_notes.h"

#include "explain/codes.h"
#include "explain/report.h"
#include "io/recipe.h"
#include "session/session.h"
#include "session/translate.h"
#include "stages/event_tree_model.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace gb::views {
namespace {

constexpr int kMostLines = 12; ///< of one kind in a section: nobody reads out more

QString tr(const char* text)
{
    return QCoreApplication::translate("gb::views::export", text);
}

/// Markdown takes what stands in code as it is.
QString code(const std::string& text)
{
    return QStringLiteral("`%1`").arg(QString::fromStdString(text));
}

void addLines(QString& out, const QString& title, const QStringList& lines)
{
    if (lines.isEmpty())
        return;
    out += QStringLiteral("\n%1\n\n").arg(title);
    for (const QString& line : lines.first(std::min<qsizetype>(lines.size(), kMostLines)))
        out += QStringLiteral("- %1\n").arg(line);
    if (lines.size() > kMostLines)
        out += QStringLiteral("- %1\n").arg(tr("and %1 more").arg(lines.size() - kMostLines));
}

/// What a stage is made of, as the tree of events shows it, without what had no effect.
QStringList madeBy(const EventTreeModel& events, int stageEvent)
{
    QStringList out;
    const QModelIndex stage = events.indexOfEvent(stageEvent);
    for (int row = 0; row < events.rowCount(stage); ++row) {
        const QModelIndex event = events.index(row, EventTreeModel::Sentence, stage);
        const QString change = events.index(row, EventTreeModel::Delta, stage).data().toString();
        if (event.data(EventTreeModel::EffectRole).toBool())
            out << event.data().toString() + (change.isEmpty() ? QString() : QStringLiteral(": ") + change);
    }
    return out;
}

/// R is said where labels were given, O where observers were, C where they became q/dq.
bool belongsTo(const explain::NodeReason& reason, const std::string& stage)
{
    return (reason.code.starts_with('R') && stage == "annotated")
           || (reason.code.starts_with('O') && stage == "prepared")
           || (reason.code.starts_with('C') && stage == "converted");
}

QString lineOf(const explain::NodeReason& reason)
{
    return QStringLiteral("%1 (%2, %3): %4")
        .arg(code(reason.node), QString::fromStdString(reason.code),
             QCoreApplication::translate("core", explain::verdictOf(reason.code)), translated(reason.sentence));
}

} // namespace

base::Result<QByteArray> speakerNotes(const trace::RecordingPtr& recording, const std::vector<Frame>& frames,
                                      const std::vector<PicturePtr>& pictures, const base::Work& work)
{
    // as the window does: without a recipe that is known here the events still say what was tried
    auto recipe = io::parseRecipe(recording->header.recipe, "recipe of the recording");
    GB_ASSIGN(const explain::ReportPtr report,
              explain::report(recording, recipe ? std::move(recipe).value() : quantizers::Recipe(), work));
    EventTreeModel events;
    events.setRecording(recording);
    QString out = QStringLiteral("# %1\n").arg(QString::fromStdString(recording->header.model));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Frame& frame = frames[i];
        const Picture& picture = *pictures[i];
        const bool isStage = !frame.stage.empty() && frame.name.ends_with(frame.stage);
        out +=
            QStringLiteral("\n## %1\n").arg(isStage ? stageTitle(QString::fromStdString(frame.stage)) : frame.caption);
        if (isStage)
            addLines(out, tr("What happened:"), madeBy(events, frame.event));
        QStringList reasons;
        for (const explain::NodeReason& reason : report->answer.nodes) {
            const NodeItem* node = reason.graph == picture.graph.toStdString() ? picture.find(reason.id) : nullptr;
            const bool touched =
                std::find(picture.touched.begin(), picture.touched.end(), reason.id) != picture.touched.end();
            if (node && !node->ghost && (isStage ? belongsTo(reason, frame.stage) : touched))
                reasons << lineOf(reason);
        }
        addLines(out, tr("Why not:"), reasons);
    }
    return out.toUtf8();
}

} // namespace gb::views
