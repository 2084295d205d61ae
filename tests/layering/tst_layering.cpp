// Reads our own includes and fails on an arrow that points up (conventions.md, Structure 1).
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

/// folder -> the folders that its files may include from, besides itself.
const QMap<QString, QStringList> kAllowed = {
    {"core/base", {}},
    {"core/ir", {"core/base"}},
    {"core/quant", {"core/base", "core/ir"}},
    {"core/trace", {"core/base", "core/ir", "core/quant"}},
    {"core/ops", {"core/base", "core/ir", "core/quant", "core/trace"}},
    {"core/quantizers", {"core/base", "core/ir", "core/quant", "core/trace"}},
    {"core/passes", {"core/base", "core/ir", "core/quant", "core/trace", "core/ops", "core/quantizers"}},
    {"core/io", {"core/base", "core/ir", "core/quant", "core/trace", "core/quantizers"}},
    {"core/explain",
     {"core/base", "core/ir", "core/quant", "core/trace", "core/ops", "core/quantizers", "core/passes"}},
    {"core/engine",
     {"core/base", "core/ir", "core/quant", "core/trace", "core/ops", "core/quantizers", "core/passes", "core/io",
      "core/explain"}},
    {"core/numbers",
     {"core/base", "core/ir", "core/quant", "core/trace", "core/ops", "core/quantizers", "core/passes", "core/io",
      "core/engine"}},
};

QString layerOf(const QString& path)
{
    const QStringList parts = path.split('/');
    return parts[0] == "core" ? parts.mid(0, 2).join('/') : parts[0];
}

/// The layer that an include of our own names; empty for a library's.
QString includedLayer(const QString& include)
{
    if (!include.contains('/')) // a folder of ours may be called as a header of the standard library (numbers)
        return "";
    const QString first = include.section('/', 0, 0);
    if (kAllowed.contains("core/" + first))
        return "core/" + first;
    return QDir(QStringLiteral(GREENBOX_SOURCE_DIR "/views/") + first).exists() ? "views" : "";
}

struct Include {
    QString file; ///< relative to the source folder
    QString what;
};

QList<Include> includesBelow(const QString& folder)
{
    static const QRegularExpression kInclude("^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]",
                                             QRegularExpression::MultilineOption);
    QList<Include> out;
    QDirIterator files(QStringLiteral(GREENBOX_SOURCE_DIR "/") + folder, {"*.h", "*.cpp"}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto found = kInclude.globalMatch(QString::fromUtf8(file.readAll()));
        while (found.hasNext())
            out.append({QDir(QStringLiteral(GREENBOX_SOURCE_DIR)).relativeFilePath(file.fileName()),
                        found.next().captured(1)});
    }
    return out;
}

} // namespace

class LayeringTest : public QObject {
    Q_OBJECT

private slots:
    void coreIncludesOnlyLayersBelow()
    {
        const QList<Include> all = includesBelow("core");
        QVERIFY2(all.size() > 50, "the includes were not read");
        for (const Include& i : all) {
            const QString from = layerOf(i.file);
            const QString to = includedLayer(i.what);
            QVERIFY2(kAllowed.contains(from), qPrintable(i.file + " lies in a folder without a rule"));
            QVERIFY2(to.isEmpty() || to == from || kAllowed[from].contains(to),
                     qPrintable(i.file + " includes " + i.what));
        }
    }

    void coreSeesNoGuiAndQtOnlyInIoSources()
    {
        static const QRegularExpression kQt("^Q[A-Z]|^Qt[A-Z]");
        for (const Include& i : includesBelow("core")) {
            if (!kQt.match(i.what).hasMatch())
                continue;
            QVERIFY2(i.file.startsWith("core/io/") && i.file.endsWith(".cpp"),
                     qPrintable(i.file + " includes " + i.what));
            QVERIFY2(!i.what.startsWith("QtGui") && !i.what.startsWith("QtWidgets") && i.what != "QWidget",
                     qPrintable(i.file + " includes " + i.what));
        }
    }

    void layoutUsesNoWidget()
    {
        for (const Include& i : includesBelow("views/layout"))
            QVERIFY2(!i.what.contains("Widget") && !i.what.contains("QGraphics"),
                     qPrintable(i.file + " includes " + i.what));
    }

    void graphvizIsIncludedInOneSource()
    {
        QSet<QString> files;
        for (const Include& i : includesBelow("views") + includesBelow("app") + includesBelow("core"))
            if (i.what.contains("gvc.h") || i.what.contains("cgraph.h"))
                files.insert(i.file);
        QVERIFY2(files.size() <= 1, qPrintable(QStringList(files.values()).join(", ")));
    }

    void viewsDoNotIncludeTheApp()
    {
        const QString app = QStringLiteral(GREENBOX_SOURCE_DIR "/app/");
        for (const Include& i : includesBelow("views"))
            QVERIFY2(!i.what.contains('/') || !QFile::exists(app + i.what), qPrintable(i.file + " includes " + i.what));
    }
};

QTEST_GUILESS_MAIN(LayeringTest)
#include "tst_layering.moc"
