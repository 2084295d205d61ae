// greenbox numbers MODEL.pt2 --recipe R.json --what WHAT ...
#include "base/message.h"
#include "cli/flow.h"
#include "cli/table.h"
#include "cli/verb.h"
#include "io/observe_cases.h"
#include "numbers/channels.h"
#include "numbers/history.h"
#include "numbers/qparams_rows.h"
#include "numbers/search_replay.h"
#include "numbers/site_values.h"
#include "numbers/storage.h"
#include "numbers/what_if.h"
#include "numbers/zoo.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <ostream>

namespace gb::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using numbers::Change;
using numbers::Material;
using numbers::Sheet;

/// "SITE=MIN,MAX"
Result<Change> rangeFrom(const std::string& text)
{
    const std::size_t equals = text.rfind('=');
    Change change{Change::Kind::Range, text.substr(0, equals)};
    const char* at = equals == std::string::npos ? nullptr : text.data() + equals + 1;
    const char* end = text.data() + text.size();
    const auto first =
        at ? std::from_chars(at, end, change.min) : std::from_chars_result{end, std::errc::invalid_argument};
    const bool comma = first.ec == std::errc() && first.ptr != end && *first.ptr == ',';
    const auto second = comma ? std::from_chars(first.ptr + 1, end, change.max) : first;
    if (!comma || second.ec != std::errc() || second.ptr != end)
        return Error{ErrorCode::Usage, say("found \"{0}\", OBSERVER=MIN,MAX expected", text), "--range"};
    return change;
}

class NumbersVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        declareFlow(app, m_options);
        app.add_option("--what", m_what,
                       "error: of each op; gain: at the output when an op is left in float; storage; qparams; batches; "
                       "zoo: observers side by side; search: the histogram's; channels; axes")
            ->check(
                CLI::IsMember({"error", "gain", "storage", "qparams", "batches", "zoo", "search", "channels", "axes"}))
            ->required();
        app.add_option("--check", m_options.check, "a second set of batches to measure errors on (as --inputs)");
        app.add_option("--float", m_float, "error: leave this op in float first (may be given again)");
        app.add_option("--range", m_ranges, "error: give an observer this range first, OBSERVER=MIN,MAX");
        app.add_option("--site", m_site,
                       "zoo: the node whose output is observed; search, channels, axes: the observer");
        app.add_option("--observers", m_observers, "zoo: the observers (JSON as for observe, without inputs)");
        app.add_option("--out", m_out, "write to this file, .csv or .json; without it, a table is printed");
    }

    int run(const Surroundings& s) override
    {
        m_options.readImage = s.hooks.readImage;
        m_options.keepsMaterial = true;
        const auto flow = runFlow(m_options, s.work());
        if (!flow)
            return s.console.fail(flow.error());
        if (flow->result.error)
            return s.console.fail(*flow->result.error);
        if (!flow->material)
            return s.console.fail({ErrorCode::Usage, "the run has no calibrated model", "numbers"});
        const auto sheet = sheetOf(*flow->material, s.work());
        if (!sheet)
            return s.console.fail(sheet.error());
        if (m_out.empty()) {
            print(*sheet, s.console.out);
        } else {
            if (const base::Status written = numbers::writeSheet(*sheet, m_out); !written)
                return s.console.fail(written.error());
            s.console.out << "written     " << m_out << '\n';
        }
        s.console.out.flush();
        return kDone;
    }

private:
    [[nodiscard]] Result<Sheet> sheetOf(const Material& material, const base::Work& work) const
    {
        if (m_what == "error")
            return errors(material, work);
        if (m_what == "gain")
            return numbers::gainSheet(material, work);
        if (m_what == "storage") {
            GB_ASSIGN(const numbers::Storage storage, numbers::storageOf(material.recording));
            return numbers::storageSheet(storage);
        }
        if (m_what == "qparams") {
            GB_ASSIGN(const auto rows, numbers::qparamsRows(material.recording));
            return numbers::qparamsSheet(rows);
        }
        if (m_what == "batches")
            return numbers::historySheet(numbers::historiesOf(*material.recording));
        return m_what == "zoo" ? zoo(material, work) : ofObserver(material, work);
    }

    [[nodiscard]] Result<Sheet> errors(const Material& material, const base::Work& work) const
    {
        std::vector<Change> changes;
        for (const std::string& op : m_float)
            changes.push_back({Change::Kind::FloatOp, op});
        for (const std::string& range : m_ranges) {
            GB_ASSIGN(Change change, rangeFrom(range));
            changes.push_back(std::move(change));
        }
        GB_ASSIGN(const engine::CalibratedPtr model, numbers::changed(material, changes, work));
        GB_ASSIGN(const auto converted, numbers::convertedCopy(*model, work));
        GB_ASSIGN(const numbers::ErrorReport report, numbers::opErrors(material, *converted, work));
        return numbers::errorSheet(report);
    }

    [[nodiscard]] Result<Sheet> zoo(const Material& material, const base::Work& work) const
    {
        const auto floats = numbers::withoutObservers(*material.calibrated->module);
        const ir::Node* node = floats->graph().find(m_site);
        if (!node)
            return Error{ErrorCode::NotFound, say("found \"{0}\", a node of the model expected", m_site), "--site"};
        std::vector<ir::ObserverConstructor> observers =
            node->op() == ir::Op::GetAttr ? numbers::usualObservers(ir::DType::Int8, -127, 127, 0)
                                          : numbers::usualObservers(ir::DType::Int8, -128, 127, std::nullopt);
        if (!m_observers.empty()) {
            GB_ASSIGN(const auto cases, io::readObserveCases(m_observers));
            observers.clear();
            for (const io::ObserveCase& given : cases)
                observers.push_back(given.observer);
        }
        GB_ASSIGN(const auto values, numbers::valuesOf(material, *floats, node->id(), material.calibration, work));
        GB_ASSIGN(const auto animals, numbers::runZoo(observers, values, work));
        return numbers::zooSheet(animals);
    }

    /// search, channels and axes: of one observer.
    [[nodiscard]] Result<Sheet> ofObserver(const Material& material, const base::Work& work) const
    {
        const ir::GraphModule& model = *material.calibrated->module;
        const ir::Node* node = model.graph().find(m_site);
        const auto observer = node && node->op() == ir::Op::CallModule
                                  ? std::dynamic_pointer_cast<quant::Observer>(model.module(node->target()))
                                  : nullptr;
        if (!observer)
            return Error{ErrorCode::NotFound, say("found \"{0}\", an observer of the prepared model expected", m_site),
                         "--site"};
        if (m_what == "search") {
            const auto replay = numbers::replaySearch(observer->settings(), observer->state());
            if (!replay)
                return Error{ErrorCode::Usage, say("{0} has no histogram to search", m_site), "--site"};
            return numbers::searchSheet(*replay);
        }
        if (m_what == "channels")
            return numbers::channelSheet(numbers::channelsOf(observer->settings(), observer->state()));
        const auto floats = numbers::withoutObservers(model);
        GB_ASSIGN(const auto values,
                  numbers::valuesOf(material, *floats, node->arg(0).nodeId(), material.calibration, work));
        const std::string target = node->users().empty() ? std::string() : node->users().front()->target();
        GB_ASSIGN(const auto choices, numbers::compareAxes(observer->settings(), values.front(), target));
        return numbers::axisSheet(choices);
    }

    static void print(const Sheet& sheet, std::ostream& out)
    {
        std::vector<std::string> header;
        for (const numbers::Column& column : sheet.columns)
            header.push_back(column.title.text());
        Table table(std::move(header));
        for (const numbers::SheetRow& row : sheet.rows) {
            std::vector<std::string> cells;
            for (const numbers::Cell& cell : row.cells) {
                const auto* number = std::get_if<double>(&cell);
                cells.push_back(number ? base::shortNumber(*number) : numbers::cellText(cell));
            }
            table.add(std::move(cells));
        }
        table.print(out);
        for (const base::Message& note : sheet.notes)
            out << note.text() << '\n';
    }

    FlowOptions m_options;
    std::string m_what;
    std::vector<std::string> m_float;
    std::vector<std::string> m_ranges;
    std::string m_site;
    std::string m_observers;
    std::string m_out;
};

} // namespace

std::unique_ptr<Verb> makeNumbersVerb()
{
    return std::make_unique<NumbersVerb>();
}

} // namespace gb::cli
