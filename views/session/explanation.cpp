#include "session/explanation.h"

#include "io/recipe.h"

namespace gb::views {
namespace {

struct Explained {
    explain::ReportPtr report;
    std::shared_ptr<const explain::SearchIndex> index;
};

base::Result<Explained> explained(const trace::RecordingPtr& recording, const base::Work& work)
{
    // a recording of a Python quantizer has no recipe that is known here; its events still say what was tried
    auto recipe = io::parseRecipe(recording->header.recipe, "recipe of the recording");
    Explained out;
    GB_ASSIGN(out.report, explain::report(recording, recipe ? std::move(recipe).value() : quantizers::Recipe(), work));
    GB_ASSIGN(explain::SearchIndex index, explain::searchIndex(recording, out.report->answer));
    out.index = std::make_shared<const explain::SearchIndex>(std::move(index));
    return out;
}

} // namespace

Explanation::Explanation(Session* session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_index(std::make_shared<const explain::SearchIndex>())
{
    connect(m_session, &Session::recordingChanged, this, &Explanation::start);
    if (m_session->recording())
        start();
}

void Explanation::start()
{
    m_report.reset();
    m_index = std::make_shared<const explain::SearchIndex>();
    m_problem.clear();
    m_jobs.cancel();
    if (const trace::RecordingPtr recording = m_session->recording())
        m_jobs.start(tr("Explaining"), [this, recording](const base::Work& work) -> JobRunner::Delivery {
            auto result = std::make_shared<base::Result<Explained>>(explained(recording, work));
            return [this, result] {
                if (result->ok()) {
                    m_report = (*result)->report;
                    m_index = (*result)->index;
                } else {
                    m_problem = QString::fromStdString(result->error().text());
                }
                Q_EMIT changed();
            };
        });
    Q_EMIT changed();
}

} // namespace gb::views
