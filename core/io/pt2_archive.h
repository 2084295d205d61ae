// Where things are in a .pt2 archive, and its weights and constants.
//
// Internal to io. Source: torch/export/pt2_archive/_package.py and constants.py.
//
// Thread: one at a time (it reads from one ZipReader).
#pragma once

#include "io/json.h"
#include "io/pickle.h"
#include "io/zip.h"
#include "ir/tensor.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gb::io {

struct Payload {
    std::map<std::string, ir::Tensor> tensors; ///< by attribute name
    std::vector<std::string> notes;            ///< entries that are no tensors, in words
};

class Pt2Archive {
public:
    /// Opens the archive, finds its top folder and its model ("model", or the only one) and checks what it is.
    static base::Result<std::unique_ptr<Pt2Archive>> open(const std::string& path);

    [[nodiscard]] base::Result<Json> model();
    /// "model.pt2: archive/models/model.json"
    [[nodiscard]] std::string modelPlace() const { return m_zip->placeOf(m_modelEntry); }
    [[nodiscard]] base::Result<Payload> weights() { return payload("data/weights/", "_weights_config.json"); }
    [[nodiscard]] base::Result<Payload> constants() { return payload("data/constants/", "_constants_config.json"); }

    [[nodiscard]] bool hasSamples() const { return m_zip->contains(sampleEntry()); }
    [[nodiscard]] base::Result<PickleObject> samples();
    [[nodiscard]] std::string samplePlace() const { return m_zip->placeOf(sampleEntry()); }

private:
    explicit Pt2Archive(std::unique_ptr<ZipReader> zip)
        : m_zip(std::move(zip))
    {
    }
    base::Status findModel();
    base::Status expectText(const std::string& entry, const char* expected);
    [[nodiscard]] std::string sampleEntry() const { return m_root + "data/sample_inputs/" + m_modelName + ".pt"; }
    base::Result<Payload> payload(const std::string& folder, const std::string& configSuffix);
    base::Result<Payload> legacyPayload(const std::string& entry);
    base::Status readRow(const std::string& name, const JsonCursor& row, const std::string& folder, Payload& into);
    base::Result<ir::Tensor> pickledTensor(const std::string& entry);
    base::Result<Bytes> block(const std::string& entry, ir::DType dtype);

    std::unique_ptr<ZipReader> m_zip;
    std::string m_root;      ///< "archive/", whatever it is called; may be empty
    std::string m_modelName; ///< "model"
    std::string m_modelEntry;
    /// Entries read so far, by name and whether as bool: names that share an entry share its storage.
    std::map<std::pair<std::string, bool>, Bytes> m_blocks;
};

} // namespace gb::io
