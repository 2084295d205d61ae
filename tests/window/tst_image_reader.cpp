#include "window/image_reader.h"

#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace gb;

class TestImageReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coloursLieFromZeroToOne()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.png"));
        QImage image(4, 2, QImage::Format_RGB32);
        image.fill(QColor(255, 51, 0));
        QVERIFY(image.save(path));
        const auto read = app::readImage(path.toStdString(), 2, 4);
        QVERIFY(read.ok());
        QCOMPARE(read->shape(), (ir::Shape{3, 2, 4}));
        QCOMPARE(read->at(0), 1.0);
        QVERIFY(std::fabs(read->at(8) - 0.2) < 1e-6);
        QCOMPARE(read->at(16), 0.0);
    }

    /// Left half black, right half white: each keeps its side at another size.
    void aPictureIsScaled()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.bmp"));
        QImage image(40, 40, QImage::Format_RGB32);
        image.fill(Qt::black);
        for (int y = 0; y < 40; ++y)
            for (int x = 20; x < 40; ++x)
                image.setPixelColor(x, y, Qt::white);
        QVERIFY(image.save(path));
        const auto read = app::readImage(path.toStdString(), 6, 8);
        QVERIFY(read.ok());
        QCOMPARE(read->shape(), (ir::Shape{3, 6, 8}));
        QVERIFY(read->at(0) < 0.1);
        QVERIFY(read->at(7) > 0.9);
    }

    void whatIsNoPictureIsRefused()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.png"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no picture") > 0);
        file.close();
        QCOMPARE(app::readImage(path.toStdString(), 2, 2).error().code, base::ErrorCode::Format);
        QCOMPARE(app::readImage(path.toStdString(), 0, 2).error().code, base::ErrorCode::Usage);
        QVERIFY(!app::readImage(folder.filePath(QStringLiteral("none.png")).toStdString(), 2, 2).ok());
    }
};

QTEST_MAIN(TestImageReader)
#include "tst_image_reader.moc"
