// Ctrl-C: the program ends soon, says so, and leaves no file behind.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

class TestInterrupt : public QObject {
    Q_OBJECT

private slots:
    void stopsCleanly_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
    }
    void stopsCleanly()
    {
        QFETCH(int, signal);
        QTemporaryDir folder;
        const QString cases = QStringLiteral(GREENBOX_TEST_DATA "/cases/vit_block.xnnpack.");
        QStringList positions; // the same batch over and over: long enough to be stopped
        for (int i = 0; i < 20000; ++i)
            positions << QStringLiteral("0");
        QProcess program;
        program.start(QStringLiteral(GREENBOX_PROGRAM),
                      {"run", cases + "pt2", "--recipe", cases + "recipe.json", "--inputs", cases + "inputs.npz",
                       "--calibrate", positions.join(','), "--dump", folder.filePath("d.json"), "--record",
                       folder.filePath("r.gbx"), "--progress"});
        QVERIFY(program.waitForStarted());
        program.setReadChannel(QProcess::StandardError);
        QByteArray err;
        while (!err.contains("calibrate") && program.waitForReadyRead(20000))
            err += program.readAll();
        QVERIFY2(err.contains("calibrate"), err.constData());
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(::kill(static_cast<pid_t>(program.processId()), signal), 0);
        QVERIFY(program.waitForFinished(5000));
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 1);
        err += program.readAll();
        QVERIFY2(err.contains("greenbox: "), err.right(200).constData());
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestInterrupt)
#include "tst_interrupt.moc"
