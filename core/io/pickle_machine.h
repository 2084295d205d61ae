// The stack machine behind io/pickle.h: runs the harmless part of the pickle language.
//
// Internal to io. Source: Python's pickletools (opcodes) and torch/_weights_only_unpickler.py (what is allowed).
//
// Thread: one use each.
#pragma once

#include "io/pickle.h"
#include "io/zip.h"

#include <map>
#include <string_view>

namespace gb::io {

class PickleMachine {
public:
    /// program: the bytes of data.pkl; folder: where in the archive it stands ("archive/").
    PickleMachine(std::string_view program, ZipReader& archive, std::string folder);
    base::Result<PickleObject> run();

private:
    struct StorageInfo {
        Bytes block;
        ir::DType dtype; ///< what its class says; uint8 for an untyped storage
        bool typed = true;
    };

    // reading the program
    [[nodiscard]] base::Error broken(const std::string& sentence, base::ErrorCode code = base::ErrorCode::Format) const;
    base::Result<std::string_view> take(std::size_t count);
    base::Result<std::string_view> line();
    base::Result<std::uint64_t> unsignedNumber(std::size_t bytes);

    // one opcode, by what it does; nothing (ok, false) when it is not one of the group
    base::Result<bool> pushLeaf(unsigned char op);
    base::Result<bool> pushText(unsigned char op);
    base::Result<bool> build(unsigned char op);
    base::Result<bool> fill(unsigned char op);
    base::Result<bool> memo(unsigned char op);
    base::Result<bool> call(unsigned char op);
    base::Status pushLong();

    // the stack
    void push(PickleValue value);
    base::Result<std::size_t> pop();
    base::Result<std::vector<std::size_t>> popToMark();
    base::Status pushPopped(PickleValue::Kind kind, std::size_t count);
    [[nodiscard]] base::Result<PickleValue*> top(PickleValue::Kind kind);

    // the allowed globals
    base::Status pushGlobal(const std::string& module, const std::string& name);
    base::Result<PickleValue> reduce(const std::string& function, const std::vector<std::size_t>& arguments);
    base::Result<PickleValue> rebuildTensor(const std::vector<std::size_t>& arguments, bool dtypeGiven);
    base::Status pushStorage();
    base::Result<std::size_t> storage(const std::string& storageClass, const std::string& key);
    base::Result<ir::Shape> shape(std::size_t value, const char* what) const;
    base::Result<std::int64_t> integer(std::size_t value, const char* what) const;

    std::string_view m_program;
    ZipReader& m_archive;
    std::string m_folder;
    std::string m_place;
    std::size_t m_at = 0;
    std::size_t m_opStart = 0;
    PickleObject m_object;
    std::vector<std::size_t> m_stack;
    std::vector<std::size_t> m_marks; ///< heights of the stack
    std::map<std::uint64_t, std::size_t> m_memo;
    std::vector<StorageInfo> m_storages;
    std::map<std::string, std::size_t> m_storageByKey;
};

} // namespace gb::io
