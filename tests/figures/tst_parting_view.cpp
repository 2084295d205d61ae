#include "../numbers/case_run.h"

#include "figures/parting_view.h"
#include "io/recording.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace gb;
using views::PartingView;

namespace {

QString recipe(const char* name)
{
    return QStringLiteral(GREENBOX_TEST_DATA "/cases/%1.recipe.json").arg(QString::fromLatin1(name));
}

bool done(const PartingView& view)
{
    return QTest::qWaitFor([&view] { return !view.busy(); }, 30000);
}

} // namespace

class TestPartingView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
        m_session = std::make_unique<views::Session>();
        m_session->setRecording(m_material->recording);
    }

    void anotherRecipeIsRun()
    {
        views::Selection selection;
        PartingView view(m_session.get(), &selection);
        view.setMaterial(m_material);
        view.compareWith(recipe("conv_relu.xnnpack_per_tensor"));
        QVERIFY(done(view));
        QCOMPARE(view.sheet().model().rowCount(), 3); // x, conv2d, relu
        QVERIFY2(view.sheet().notes().startsWith(QStringLiteral("the first op at which the runs part: conv2d")),
                 qPrintable(view.sheet().notes()));
        view.compareWith(recipe("conv_relu.xnnpack"));
        QVERIFY(done(view));
        QVERIFY(view.sheet().notes().startsWith(QStringLiteral("no op differs")));
        m_session->setRecording(m_material->recording); // another run: the comparison was of the one before
        QCOMPARE(view.sheet().model().rowCount(), 0);
    }

    void recordingsNeedNoModel()
    {
        const QTemporaryDir folder;
        const auto other = test::materialOfCase("conv_relu.xnnpack_per_tensor");
        QVERIFY(other);
        const QString path = folder.filePath(QStringLiteral("other.gbx"));
        QVERIFY(io::writeRecording(*other->recording, path.toStdString()).ok());
        views::Selection selection;
        PartingView view(m_session.get(), &selection);
        view.compareWith(path);
        QVERIFY(done(view));
        QCOMPARE(view.sheet().model().rowCount(), 3);
        QVERIFY(view.sheet().notes().contains(QStringLiteral("that of conv_weight")));
        view.compareWith(recipe("conv_relu.xnnpack")); // which needs the model
        QVERIFY(!view.busy());
        QCOMPARE(view.sheet().model().rowCount(), 0);
    }

    void whatCannotBeReadIsSaid()
    {
        views::Selection selection;
        PartingView view(m_session.get(), &selection);
        view.setMaterial(m_material);
        view.compareWith(QStringLiteral("/no/such/recipe.json"));
        QVERIFY(done(view));
        QCOMPARE(view.sheet().model().rowCount(), 0);
        QVERIFY(view.sheet().notes().isEmpty());
    }

private:
    numbers::MaterialPtr m_material;
    std::unique_ptr<views::Session> m_session;
};

QTEST_MAIN(TestPartingView)
#include "tst_parting_view.moc"
