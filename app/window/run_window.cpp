#include "window/run_window.h"

#include "window/main_window.h"
#include "window/samples.h"

#include <QApplication>
#include <QTimer>
#include <QTranslator>

#include <clocale>

namespace gb::app {
namespace {

/// Grabs the window a moment after its job is done, writes the picture and quits.
void takePicture(MainWindow& window, const QString& path)
{
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, timer, path] {
        if (window.busy())
            return;
        timer->stop();
        const bool written = window.grab().save(path);
        QApplication::exit(written ? 0 : 2);
    });
    timer->start(700);
}

} // namespace

int runWindow(int& argc, char** argv, const WindowArguments& arguments)
{
    QApplication app(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QApplication takes the user's; data has decimal points everywhere
    QApplication::setOrganizationName(QStringLiteral("greenbox"));
    QApplication::setApplicationName(QStringLiteral("greenbox"));
    QApplication::setApplicationVersion(QStringLiteral(GREENBOX_VERSION));
    QTranslator english;
    if (english.load(QStringLiteral(":/translations/greenbox_en.qm")))
        QApplication::installTranslator(&english);
    QApplication::setStyle(QStringLiteral("Fusion")); // the one style that follows a palette everywhere
    MainWindow window;
    if (!arguments.theme.empty())
        window.setTheme(views::themeKindFromName(QString::fromStdString(arguments.theme)));
    window.show();
    if (!arguments.file.empty()) {
        const QString recipe
            = arguments.recipe.empty() ? defaultRecipe() : QString::fromStdString(arguments.recipe);
        window.open({QString::fromStdString(arguments.file), recipe, QString::fromStdString(arguments.inputs),
                     arguments.qat});
    }
    if (!arguments.screenshot.empty())
        takePicture(window, QString::fromStdString(arguments.screenshot));
    return QApplication::exec();
}

} // namespace gb::app
