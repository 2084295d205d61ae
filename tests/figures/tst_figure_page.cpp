// Figures as pictures: every kind, every format, the same bytes twice.
#include "../numbers/case_run.h"

#include "figures/figure_page.h"
#include "numbers/op_errors.h"

#include <QImage>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace gb;
using views::PictureFormat;

class TestFigurePage : public QObject {
    Q_OBJECT

private:
    numbers::Figure figureOf(const QString& kind) const
    {
        const ir::Graph& graph = m_material->calibrated->module->graph();
        const auto observer = [this](const char* name) {
            return std::dynamic_pointer_cast<quant::Observer>(m_material->calibrated->module->module(name));
        };
        if (kind == QStringLiteral("batches")) {
            const auto histories = numbers::historiesOf(*m_material->recording);
            return {numbers::historySheet({histories.front()}), numbers::BatchesFigure{histories.front(), 2}};
        }
        if (kind == QStringLiteral("search")) {
            const auto histogram = observer("activation_post_process_0");
            const auto replay = numbers::replaySearch(histogram->settings(), histogram->state());
            return {numbers::searchSheet(*replay),
                    numbers::SearchFigure{"obs", histogram->settings(), histogram->state(), *replay, -1}};
        }
        if (kind == QStringLiteral("zoo")) {
            auto zoo = numbers::zooFigure(*m_material, graph.find("x")->id(),
                                          numbers::usualObservers(ir::DType::Int8, -128, 127, std::nullopt));
            const numbers::Sheet sheet = numbers::zooSheet(zoo->animals);
            return {sheet, std::move(*zoo)};
        }
        if (kind == QStringLiteral("channels")) {
            const auto weight = observer("activation_post_process_1");
            const ir::NodeId node = graph.find("activation_post_process_1")->id();
            auto channels = numbers::channelsFigure(graph, node, weight->settings(), weight->state());
            if (!numbers::addValues(channels, *m_material, node).ok())
                return {};
            const numbers::Sheet sheet = numbers::channelSheet(channels.channels);
            return {sheet, std::move(channels)};
        }
        return {numbers::errorSheet(*numbers::opErrors(*m_material)), {}};
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_material = test::materialOfCase("conv_relu.xnnpack");
        QVERIFY(m_material);
    }

    void everyKindIsPainted_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("plots");
        QTest::newRow("errors") << QStringLiteral("errors") << 0;
        QTest::newRow("batches") << QStringLiteral("batches") << 2;
        QTest::newRow("search") << QStringLiteral("search") << 2;
        QTest::newRow("zoo") << QStringLiteral("zoo") << 4;
        QTest::newRow("channels") << QStringLiteral("channels") << 2;
    }

    void everyKindIsPainted()
    {
        QFETCH(const QString, kind);
        QFETCH(const int, plots);
        const numbers::Figure figure = figureOf(kind);
        const views::FigurePage page = views::figurePage(figure, QStringLiteral("conv_relu"), views::ThemeKind::Print);
        QCOMPARE(static_cast<int>(page.plots.size()), plots);
        QVERIFY(!page.table.rows.empty());
        const auto svg = views::pictureOf(page, PictureFormat::Svg);
        QVERIFY(svg.ok());
        QVERIFY2(svg->size() < 800'000, qPrintable(QString::number(svg->size()))); // bars are one path, not thousands
        QString texts;
        QXmlStreamReader xml(*svg);
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("text"))
                texts += xml.readElementText() + QLatin1Char('\n');
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(texts.contains(QStringLiteral("conv_relu")));
        for (const numbers::Column& column : figure.sheet.columns)
            QVERIFY2(texts.contains(QString::fromStdString(column.title.text())), column.id.c_str());
        const auto png = views::pictureOf(page, PictureFormat::Png, {views::ThemeKind::Print, 1});
        QVERIFY(png.ok());
        const QImage image = QImage::fromData(*png, "PNG");
        QVERIFY(image.width() >= 480 && image.height() >= 100);
        QCOMPARE(image.pixelColor(0, 0), views::Theme::of(views::ThemeKind::Print).ink(views::Ink::Page));
        QVERIFY(views::pictureOf(page, PictureFormat::Pdf)->startsWith("%PDF"));
    }

    void theSameFigureIsTheSameBytes_data() { everyKindIsPainted_data(); }

    void theSameFigureIsTheSameBytes()
    {
        QFETCH(const QString, kind);
        for (const PictureFormat format : {PictureFormat::Svg, PictureFormat::Png, PictureFormat::Pdf}) {
            const auto first =
                views::pictureOf(views::figurePage(figureOf(kind), kind, views::ThemeKind::Print), format);
            const auto second =
                views::pictureOf(views::figurePage(figureOf(kind), kind, views::ThemeKind::Print), format);
            QVERIFY(first.ok() && second.ok());
            QVERIFY(*first == *second);
        }
    }

    /// What stands in a plot stays in it: a picture scaled twice is the picture twice as large.
    void plotsKeepTheirSize()
    {
        const views::FigurePage page =
            views::figurePage(figureOf(QStringLiteral("batches")), QStringLiteral("x"), views::ThemeKind::Print);
        const QImage one = QImage::fromData(*views::pictureOf(page, PictureFormat::Png, {views::ThemeKind::Print, 1}));
        const QImage two = QImage::fromData(*views::pictureOf(page, PictureFormat::Png, {views::ThemeKind::Print, 2}));
        QCOMPARE(two.size(), one.size() * 2);
        const QImage small = two.scaled(one.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        double difference = 0;
        for (int y = 0; y < one.height(); ++y)
            for (int x = 0; x < one.width(); ++x)
                difference += std::abs(qGray(one.pixel(x, y)) - qGray(small.pixel(x, y)));
        difference /= static_cast<double>(one.width()) * one.height();
        QVERIFY2(difference < 4, qPrintable(QString::number(difference)));
    }

    void filesAreWrittenByTheirEnding()
    {
        const QTemporaryDir folder;
        const numbers::Figure figure = figureOf(QStringLiteral("errors"));
        const std::pair<const char*, const char*> files[] = {{"e.svg", "<?xml"},
                                                             {"e.pdf", "%PDF"},
                                                             {"e.png", "\x89PNG"},
                                                             {"e.csv", "op,target"},
                                                             {"e.json", "{\"format\""}};
        for (const auto& [name, begin] : files) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            const auto done = views::writeFigure(figure, QStringLiteral("errors"), path);
            QVERIFY2(done.ok(), name);
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.readAll().startsWith(begin), name);
        }
        QCOMPARE(views::writeFigure(figure, {}, QStringLiteral("/no/such/folder/e.svg")).error().code,
                 base::ErrorCode::Io);
    }

    void aPageThatIsTooLargeIsRefusedByName()
    {
        numbers::Figure figure = figureOf(QStringLiteral("errors"));
        for (int i = 0; i < 2000; ++i)
            figure.sheet.rows.push_back(figure.sheet.rows.front());
        const views::FigurePage page = views::figurePage(figure, {}, views::ThemeKind::Print);
        QCOMPARE(views::pictureOf(page, PictureFormat::Png).error().code, base::ErrorCode::Usage);
        QVERIFY(views::pictureOf(page, PictureFormat::Svg).ok());
    }

private:
    numbers::MaterialPtr m_material;
};

QTEST_MAIN(TestFigurePage)
#include "tst_figure_page.moc"
