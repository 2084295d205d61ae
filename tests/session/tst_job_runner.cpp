#include "jobs/job_runner.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>

using gb::base::Work;
using gb::views::JobRunner;

class JobRunnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theResultArrivesInTheUiThread()
    {
        JobRunner jobs;
        QSignalSpy ended(&jobs, &JobRunner::ended);
        QThread* worked = nullptr;
        QThread* delivered = nullptr;
        jobs.start(QStringLiteral("work"), [&](const Work&) -> JobRunner::Delivery {
            worked = QThread::currentThread();
            return [&] { delivered = QThread::currentThread(); };
        });
        QVERIFY(jobs.running());
        QVERIFY(ended.wait());
        QVERIFY(!jobs.running());
        QCOMPARE(delivered, QThread::currentThread());
        QVERIFY(worked && worked != delivered);
    }

    void progressIsTold()
    {
        JobRunner jobs;
        QSignalSpy ended(&jobs, &JobRunner::ended);
        QSignalSpy progressed(&jobs, &JobRunner::progressed);
        jobs.start(QStringLiteral("work"), [](const Work& work) -> JobRunner::Delivery {
            work.report(250, "calibrate");
            return {};
        });
        QVERIFY(ended.wait());
        QCOMPARE(progressed.count(), 1);
        QCOMPARE(progressed[0][0].toInt(), 250);
        QCOMPARE(progressed[0][1].toString(), QStringLiteral("calibrate"));
    }

    void onlyTheNewestJobDelivers()
    {
        JobRunner jobs;
        QSignalSpy ended(&jobs, &JobRunner::ended);
        std::atomic<bool> firstStopped{false};
        QList<int> delivered;
        jobs.start(QStringLiteral("first"), [&](const Work& work) -> JobRunner::Delivery {
            while (!work.cancelled())
                QThread::msleep(1);
            firstStopped = true;
            return [&] { delivered << 1; };
        });
        jobs.start(QStringLiteral("second"),
                   [&](const Work&) -> JobRunner::Delivery { return [&] { delivered << 2; }; });
        QTRY_VERIFY(!jobs.running());
        QTRY_VERIFY(firstStopped);
        QTest::qWait(20); // the first one's delivery, were there one
        QCOMPARE(delivered, QList<int>{2});
    }

    void aCancelledJobDeliversNothing()
    {
        JobRunner jobs;
        QSignalSpy ended(&jobs, &JobRunner::ended);
        std::atomic<bool> stopped{false};
        bool delivered = false;
        jobs.start(QStringLiteral("long"), [&](const Work& work) -> JobRunner::Delivery {
            while (!work.cancelled())
                QThread::msleep(1);
            stopped = true;
            return [&] { delivered = true; };
        });
        jobs.cancel();
        QVERIFY(!jobs.running());
        QCOMPARE(ended.count(), 1);
        QTRY_VERIFY(stopped);
        QTest::qWait(20);
        QVERIFY(!delivered);
        jobs.cancel(); // nothing runs: nothing happens
        QCOMPARE(ended.count(), 1);
    }

    void theRunnerJoinsItsJobsWhenItGoes()
    {
        std::atomic<bool> finished{false};
        {
            JobRunner jobs;
            jobs.start(QStringLiteral("long"), [&](const Work& work) -> JobRunner::Delivery {
                while (!work.cancelled())
                    QThread::msleep(1);
                finished = true;
                return {};
            });
        }
        QVERIFY(finished);
    }
};

QTEST_GUILESS_MAIN(JobRunnerTest)
#include "tst_job_runner.moc"
