// Where the built-in samples are, and which there are.
//
// Thread: any.
#pragma once

#include <QString>
#include <QStringList>

namespace gb::app {

/// A model that comes with the program.
struct Sample {
    QString name;   ///< "conv_relu"
    QString model;  ///< path of the .pt2
    QString inputs; ///< path of the .npz, or empty
};

/// The folder with models/, recipes/ and inputs/: installed beside the program, else the source tree's. Empty when
/// there is none.
QString samplesFolder();
QList<Sample> samples();
/// Paths of the recipes that come with the program, by name.
QStringList sampleRecipes();
/// The recipe that a model without one is opened with.
QString defaultRecipe();

} // namespace gb::app
