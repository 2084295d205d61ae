#include "window/run_window.h"

#include "theme/widget_style.h"
#include "timeline/breakpoint_list.h"
#include "window/english.h"
#include "window/main_window.h"
#include "window/preferences.h"
#include "window/samples.h"

#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <clocale>
#include <optional>

namespace gb::app {
namespace {

constexpr QSize kPictureSize{1600, 1000}; ///< the same on every screen

/// Calls `then` once, when no job runs any more and the window has come to rest.
template <class F>
void whenShown(MainWindow& window, F then)
{
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, timer, then] {
        if (window.busy() || window.explanation().busy())
            return;
        timer->deleteLater();
        then();
    });
    timer->start(400);
}

} // namespace

int runWindow(int& argc, char** argv, const WindowArguments& arguments)
{
    // on top of the screen's own; before the application is made
    if (const int scale = arguments.scale > 0 ? arguments.scale : loadPreferences().scale; scale != 100)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(scale / 100.0));
    QApplication app(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QApplication takes the user's; data has decimal points everywhere
    QApplication::setOrganizationName(QStringLiteral("greenbox"));
    QApplication::setApplicationName(QStringLiteral("greenbox"));
    QApplication::setApplicationVersion(QStringLiteral(GREENBOX_VERSION));
    std::optional<QTemporaryDir>
        settings; // a picture is the same whoever takes it, and leaves the user's settings alone
    if (!arguments.screenshot.empty())
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.emplace().path());
    const English english;
    QApplication::setStyle(new views::WidgetStyle); // Fusion is the one style that follows a palette everywhere
    MainWindow window;
    if (!arguments.theme.empty())
        window.setTheme(views::themeKindFromName(QString::fromStdString(arguments.theme)));
    window.show();
    if (!arguments.file.empty()) {
        const QString recipe = arguments.recipe.empty() ? defaultRecipe() : QString::fromStdString(arguments.recipe);
        const QStringList size = QString::fromStdString(arguments.imageSize).split(QLatin1Char('x'));
        window.open({QString::fromStdString(arguments.file), recipe, QString::fromStdString(arguments.inputs),
                     arguments.qat, QString::fromStdString(arguments.check),
                     QString::fromStdString(arguments.calibrate), size.value(0).toInt(), size.value(1).toInt(),
                     arguments.imageMean, arguments.imageDeviation});
    }
    if (!arguments.select.empty())
        whenShown(window, [&window, &arguments] { window.find(QString::fromStdString(arguments.select)); });
    for (const std::string& text : arguments.breakpoints)
        window.docks().breakpoints().add(QString::fromStdString(text));
    if (!arguments.panel.empty())
        whenShown(window, [&window, &arguments] {
            if (arguments.panel == "inspector")
                window.docks().showWhy();
            if (auto* dock = window.findChild<QDockWidget*>(QString::fromStdString(arguments.panel))) {
                dock->show();
                dock->raise();
            }
        });
    if (!arguments.search.empty())
        whenShown(window,
                  [&window, &arguments] { window.docks().search(QString::fromStdString(arguments.search), true); });
    if (!arguments.numbers.empty())
        whenShown(window, [&window, &arguments] { window.showNumbers(QString::fromStdString(arguments.numbers)); });
    if (!arguments.screenshot.empty()) {
        window.resize(kPictureSize);
        // after the selection, and after what it brought to the front was laid out
        whenShown(window, [&window, &arguments] {
            QTimer::singleShot(600, &window, [&window, &arguments] {
                whenShown(window, [&window, &arguments] { // the figures that the panel works out
                    const bool written = window.grab().save(QString::fromStdString(arguments.screenshot));
                    QApplication::exit(written ? 0 : 2);
                });
            });
        });
    }
    return QApplication::exec();
}

} // namespace gb::app
