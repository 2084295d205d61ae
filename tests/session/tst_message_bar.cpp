#include "message/message_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QTest>

using namespace gb::views;

class MessageBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isHiddenUntilThereIsSomethingToSay()
    {
        MessageBar bar;
        QVERIFY(bar.isHidden());
        QCOMPARE(bar.text(), QString());
        bar.showMessage(MessageBar::Level::Error, QStringLiteral("m.pt2 could not be opened"),
                        QStringLiteral("m.pt2: no zip archive"));
        QVERIFY(!bar.isHidden());
        QCOMPARE(bar.text(), QStringLiteral("m.pt2 could not be opened\nm.pt2: no zip archive"));
        QCOMPARE(bar.accessibleDescription(), QStringLiteral("m.pt2: no zip archive"));
    }

    void theTextCanBeCopied()
    {
        MessageBar bar;
        bar.showMessage(MessageBar::Level::Note, QStringLiteral("title"), QStringLiteral("sentence"));
        bar.copy();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("title\nsentence"));
    }

    void closeHidesIt()
    {
        MessageBar bar;
        bar.showMessage(MessageBar::Level::Note, QStringLiteral("title"), QStringLiteral("sentence"));
        const auto buttons = bar.findChildren<QPushButton*>();
        QCOMPARE(buttons.size(), 2);
        buttons[1]->click();
        QVERIFY(bar.isHidden());
    }

    void markupIsNotInterpreted()
    {
        MessageBar bar;
        bar.showMessage(MessageBar::Level::Error, QStringLiteral("<b>x</b>"), QStringLiteral("<img src='a'>"));
        for (const QLabel* label : bar.findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
};

QTEST_MAIN(MessageBarTest)
#include "tst_message_bar.moc"
