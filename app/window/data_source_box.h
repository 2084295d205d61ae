// Where one set of batches comes from: the file's own samples, a file, a folder of images, or a seed.
//
// Thread: the UI thread.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace gb::app {

class DataSourceBox final : public QWidget {
    Q_OBJECT

public:
    /// `none` is what an empty text means: "sample inputs in the model", "the calibration batches".
    DataSourceBox(const QString& name, const QString& none, QWidget* parent = nullptr);
    /// As io/data_source.h takes it; empty for the first entry.
    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    [[nodiscard]] bool isFolder() const;

Q_SIGNALS:
    void changed();

private:
    enum Kind { None, File, Folder, Random };
    [[nodiscard]] Kind kind() const;
    void showKind();
    void browse();

    QComboBox* m_kind;
    QLineEdit* m_path;
    QToolButton* m_browse;
    QLabel* m_seedName;
    QSpinBox* m_seed;
    QLabel* m_countName;
    QSpinBox* m_count;
};

} // namespace gb::app
