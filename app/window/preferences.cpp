#include "window/preferences.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QSettings>

namespace gb::app {
namespace {

constexpr int kScales[] = {80, 90, 100, 110, 125, 150, 175, 200};

constexpr const char* kTheme = "window/theme";
constexpr const char* kScale = "window/scale";
constexpr const char* kReducedMotion = "canvas/reducedMotion";
constexpr const char* kWheelZooms = "canvas/wheelZooms";
constexpr const char* kLetters = "canvas/letters";

QString key(const char* name)
{
    return QString::fromLatin1(name);
}

/// The application's own names, once it has some.
QString orOurs(const QString& name)
{
    return name.isEmpty() ? QStringLiteral("greenbox") : name;
}

} // namespace

Preferences loadPreferences()
{
    const QSettings settings(orOurs(QCoreApplication::organizationName()), orOurs(QCoreApplication::applicationName()));
    Preferences out;
    out.theme = views::themeKindFromName(settings.value(key(kTheme)).toString(), out.theme);
    if (const int scale = settings.value(key(kScale), out.scale).toInt(); scale >= 80 && scale <= 200)
        out.scale = scale;
    out.reducedMotion = settings.value(key(kReducedMotion), out.reducedMotion).toBool();
    out.wheelZooms = settings.value(key(kWheelZooms), out.wheelZooms).toBool();
    out.letters = settings.value(key(kLetters), out.letters).toBool();
    return out;
}

void savePreferences(const Preferences& preferences)
{
    QSettings settings(orOurs(QCoreApplication::organizationName()), orOurs(QCoreApplication::applicationName()));
    settings.setValue(key(kTheme), views::name(preferences.theme));
    settings.setValue(key(kScale), preferences.scale);
    settings.setValue(key(kReducedMotion), preferences.reducedMotion);
    settings.setValue(key(kWheelZooms), preferences.wheelZooms);
    settings.setValue(key(kLetters), preferences.letters);
}

PreferencesDialog::PreferencesDialog(const Preferences& preferences, QWidget* parent)
    : QDialog(parent)
    , m_before(preferences)
    , m_theme(new QComboBox(this))
    , m_scale(new QComboBox(this))
    , m_scaleNote(new QLabel(this))
    , m_reducedMotion(new QCheckBox(tr("Reduced motion: nothing fades or slides"), this))
    , m_wheelZooms(new QCheckBox(tr("The wheel zooms, Ctrl+wheel pans"), this))
    , m_letters(new QCheckBox(tr("Single letters and digits are commands in a graph"), this))
{
    setWindowTitle(tr("Preferences"));
    const std::pair<views::ThemeKind, QString> themes[] = {{views::ThemeKind::Light, tr("Light")},
                                                           {views::ThemeKind::Dark, tr("Dark")},
                                                           {views::ThemeKind::HighContrast, tr("High contrast")},
                                                           {views::ThemeKind::Print, tr("Print")}};
    for (const auto& [kind, text] : themes)
        m_theme->addItem(text, static_cast<int>(kind));
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(preferences.theme)));
    for (const int scale : kScales)
        m_scale->addItem(tr("%1 %").arg(scale), scale);
    if (m_scale->findData(preferences.scale) < 0)
        m_scale->addItem(tr("%1 %").arg(preferences.scale), preferences.scale);
    m_scale->setCurrentIndex(m_scale->findData(preferences.scale));
    m_reducedMotion->setChecked(preferences.reducedMotion);
    m_wheelZooms->setChecked(preferences.wheelZooms);
    m_letters->setChecked(preferences.letters);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* form = new QFormLayout(this);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("Scale of texts and panels"), m_scale);
    form->addRow(QString(), m_scaleNote);
    for (QCheckBox* box : {m_reducedMotion, m_wheelZooms, m_letters})
        form->addRow(QString(), box);
    form->addRow(buttons);
    connect(m_scale, &QComboBox::currentIndexChanged, this, &PreferencesDialog::sayAboutScale);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    sayAboutScale();
}

void PreferencesDialog::sayAboutScale()
{
    m_scaleNote->setText(m_scale->currentData().toInt() == m_before.scale
                             ? tr("of 100 %, on top of the screen's own")
                             : tr("takes effect when the program starts again"));
}

Preferences PreferencesDialog::preferences() const
{
    Preferences out;
    out.theme = static_cast<views::ThemeKind>(m_theme->currentData().toInt());
    out.scale = m_scale->currentData().toInt();
    out.reducedMotion = m_reducedMotion->isChecked();
    out.wheelZooms = m_wheelZooms->isChecked();
    out.letters = m_letters->isChecked();
    return out;
}

} // namespace gb::app
