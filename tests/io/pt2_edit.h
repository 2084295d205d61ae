// For tests: takes a .pt2 apart, changes it and writes it anew; and makes zip archives with odd entries.
#pragma once

#include "io/file.h"
#include "io/json.h"
#include "io/zip.h"

#include <QFile>
#include <QTemporaryDir>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gb::test {

inline std::string caseFile(const std::string& name)
{
    return std::string(GREENBOX_TEST_DATA) + "/cases/" + name;
}

/// The entries of an archive, in order, to change at will.
struct Entries {
    std::vector<std::pair<std::string, std::string>> all;

    static Entries of(const std::string& path)
    {
        Entries out;
        auto zip = io::ZipReader::open(path);
        for (const io::ZipEntry& entry : (*zip)->entries())
            out.all.emplace_back(entry.name, std::string((*zip)->read(entry.name)->text()));
        return out;
    }
    std::string& at(const std::string& name)
    {
        for (auto& [key, text] : all)
            if (key == name)
                return text;
        all.emplace_back(name, std::string());
        return all.back().second;
    }
    void erase(const std::string& name)
    {
        std::erase_if(all, [&](const auto& entry) { return entry.first == name; });
    }
    [[nodiscard]] std::string zipped() const
    {
        io::ZipWriter zip;
        for (const auto& [name, text] : all)
            (void)zip.add(name, text);
        return *zip.finish();
    }
};

constexpr const char* kModel = "archive/models/model.json";
constexpr const char* kWeights = "archive/data/weights/model_weights_config.json";
constexpr const char* kSamples = "archive/data/sample_inputs/model.pt";

/// Changes the model's JSON with edit(Json&).
template <class F>
void editModel(Entries& entries, F&& edit, const char* entry = kModel)
{
    io::Json document = *io::parseJson(entries.at(entry), entry);
    edit(document);
    entries.at(entry) = io::dumpJson(document);
}

/// Writes text to a file of the folder and returns its path.
inline std::string written(const QTemporaryDir& folder, const std::string& name, const std::string& text)
{
    const std::string path = folder.filePath(QString::fromStdString(name)).toStdString();
    QFile file(QString::fromStdString(path)); // not io::writeFile, which waits for the disk
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0)
        qFatal("cannot write %s", path.c_str());
    return path;
}

} // namespace gb::test
