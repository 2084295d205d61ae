#include "message/message_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace gb::views {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_theme(&Theme::of(ThemeKind::Light))
    , m_title(new QLabel(this))
    , m_sentence(new QLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_sentence->setWordWrap(true);
    for (QLabel* label : {m_title, m_sentence}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    auto* texts = new QVBoxLayout;
    texts->addWidget(m_title);
    texts->addWidget(m_sentence);
    auto* copyButton = new QPushButton(tr("Copy"), this);
    auto* closeButton = new QPushButton(tr("Close"), this);
    connect(copyButton, &QPushButton::clicked, this, &MessageBar::copy);
    connect(closeButton, &QPushButton::clicked, this, &QWidget::hide);
    auto* row = new QHBoxLayout(this);
    row->addLayout(texts, 1);
    row->addWidget(copyButton, 0, Qt::AlignTop);
    row->addWidget(closeButton, 0, Qt::AlignTop);
    hide();
}

void MessageBar::setTheme(const Theme& theme)
{
    m_theme = &theme;
    applyColours();
}

void MessageBar::applyColours()
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, m_theme->ink(Ink::PanelAlternate));
    colours.setColor(QPalette::WindowText, m_theme->ink(Ink::Text));
    setPalette(colours);
    QPalette title = colours;
    title.setColor(QPalette::WindowText, m_theme->ink(m_level == Level::Error ? Ink::Error : Ink::Text));
    m_title->setPalette(title);
}

void MessageBar::showMessage(Level level, const QString& title, const QString& sentence)
{
    m_level = level;
    m_title->setText(title);
    m_sentence->setText(sentence);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    applyColours();
    show();
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_title->text() + QLatin1Char('\n') + m_sentence->text();
}

void MessageBar::copy() const
{
    QApplication::clipboard()->setText(m_title->text() + QLatin1Char('\n') + m_sentence->text());
}

} // namespace gb::views
