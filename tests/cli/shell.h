// Runs the command line inside the test, with its streams caught.
#pragma once

#include "cli/command_line.h"

#include <QString>
#include <QTemporaryDir>

#include <sstream>
#include <string>
#include <vector>

namespace gb::test {

struct Ran {
    int status = -1;
    std::string out;
    std::string err;
};

inline Ran greenbox(const std::vector<std::string>& arguments, const cli::Hooks& hooks = {})
{
    std::ostringstream out;
    std::ostringstream err;
    Ran ran;
    ran.status = cli::runCommandLine(arguments, {out, err}, hooks);
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}

/// A file of a case: caseFile("conv_relu.xnnpack", "pt2").
inline std::string caseFile(const std::string& name, const std::string& kind)
{
    return std::string(GREENBOX_TEST_DATA "/cases/") + name + "." + kind;
}

/// VERB MODEL --recipe R, of a case.
inline std::vector<std::string> caseArguments(const std::string& verb, const std::string& name,
                                              const std::vector<std::string>& more = {})
{
    std::vector<std::string> out = {verb, caseFile(name, "pt2"), "--recipe", caseFile(name, "recipe.json")};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

/// A folder whose files are named as std::string.
class Folder {
public:
    [[nodiscard]] std::string file(const char* name) const { return m_folder.filePath(name).toStdString(); }
    [[nodiscard]] QString path() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
};

} // namespace gb::test
