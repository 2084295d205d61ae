// greenbox numbers MODEL.pt2 --recipe R.json --what WHAT ...
#include "base/message.h"
#include "cli/change_options.h"
#include "cli/flow.h"
#include "cli/table.h"
#include "cli/verb.h"
#include "io/observe_cases.h"
#include "io/recipe.h"
#include "io/recording.h"
#include "numbers/batch_rows.h"
#include "numbers/figures.h"
#include "numbers/parting.h"
#include "numbers/qparams_rows.h"
#include "numbers/storage.h"
#include "numbers/what_if.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace gb::cli {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::say;
using numbers::Figure;
using numbers::Material;
using numbers::Sheet;

/// Files that are painted; all others hold the table.
bool isPicture(const std::string& path)
{
    constexpr std::string_view kEndings[] = {".png", ".svg", ".pdf"};
    return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

class NumbersVerb final : public Verb {
public:
    void declare(CLI::App& app) override
    {
        declareFlow(app, m_options);
        app.get_option("MODEL")->description("a program that torch.export.save wrote (.pt2); parting: or a recording");
        app.get_option("--recipe")->required(false);
        app.add_option("--what", m_what,
                       "error: of each op; gain: at the output when an op is left in float; parting: where this run "
                       "and --against part; data: the batches; storage; qparams; batches: each observer's range; zoo: "
                       "observers side by side; search: the histogram's; channels; axes")
            ->check(CLI::IsMember({"error", "gain", "parting", "data", "storage", "qparams", "batches", "zoo", "search",
                                   "channels", "axes"}))
            ->required();
        app.add_option("--check", m_options.check, "a second set of batches to measure errors on (as --inputs)");
        m_changes.declare(app);
        app.add_option("--overlay", m_overlay,
                       "error: this figure alone, a node a line, as `greenbox export --overlay FILE.csv` lays it over")
            ->check(CLI::IsMember({"local", "cumulative", "largest"}));
        app.add_option("--site", m_site,
                       "zoo: the node whose output is observed; batches, search, channels, axes: the observer");
        app.add_option("--against", m_against, "parting: another recipe (.json), or a recording");
        app.add_option("--observers", m_observers, "zoo: the observers (JSON as for observe, without inputs)");
        app.add_option(
            "--out", m_out,
            "write to this file: .csv, .json, or a picture .svg, .pdf, .png; without it, a table is printed");
        app.add_option("--theme", m_theme, "of a picture: print, light, dark or high-contrast")
            ->check(CLI::IsMember({"print", "light", "dark", "high-contrast"}))
            ->capture_default_str();
        app.add_option("--scale", m_scale, "of a PNG: pixels a point of the drawing, 1 to 4")
            ->check(CLI::Range(1.0, 4.0))
            ->capture_default_str();
    }

    int run(const Surroundings& s) override
    {
        m_options.readImage = s.hooks.readImage;
        m_options.keepsMaterial = true;
        const auto figure = m_what == "parting" && !isModel(m_options.model) ? ofRecordings() : ofRun(s);
        if (!figure)
            return s.console.fail(figure.error());
        if (m_out.empty()) {
            print(figure->sheet, s.console.out);
        } else {
            if (const base::Status written = write(*figure, s.hooks); !written)
                return s.console.fail(written.error());
            s.console.out << "written     " << m_out << '\n';
        }
        s.console.out.flush();
        return kDone;
    }

private:
    static bool isModel(const std::string& path) { return path.ends_with(".pt2"); }

    [[nodiscard]] Result<Figure> ofRun(const Surroundings& s)
    {
        if (m_options.recipe.empty())
            return Error{ErrorCode::Usage, "--recipe expected for a model", m_options.model};
        GB_ASSIGN(const FlowRun flow, runFlow(m_options, s.work()));
        if (flow.result.error)
            return *flow.result.error;
        if (!flow.material)
            return Error{ErrorCode::Usage, "the run has no calibrated model", "numbers"};
        m_model = flow.material->recording->header.model;
        return figureOf(*flow.material, s.work());
    }

    [[nodiscard]] Result<Figure> ofRecordings()
    {
        GB_ASSIGN(const io::ReadRecording first, io::readRecording(m_options.model));
        m_model = first.recording->header.model;
        return againstRecording(first.recording);
    }

    [[nodiscard]] Result<Figure> againstRecording(const trace::RecordingPtr& first) const
    {
        GB_ASSIGN(const io::ReadRecording second, io::readRecording(m_against));
        GB_ASSIGN(Sheet sheet, numbers::recordingsSheet(first, second.recording));
        return Figure{std::move(sheet), {}};
    }

    [[nodiscard]] Result<Figure> parting(const Material& material, const base::Work& work) const
    {
        if (m_against.empty())
            return Error{ErrorCode::Usage, "a recipe (.json) or a recording expected", "--against"};
        if (!m_against.ends_with(".json"))
            return againstRecording(material.recording);
        GB_ASSIGN(const quantizers::Recipe recipe, io::readRecipe(m_against));
        GB_ASSIGN(const numbers::MaterialPtr other, numbers::runWith(material, recipe, work));
        GB_ASSIGN(const numbers::Parting found, numbers::partingOf(material, *other, work));
        return Figure{numbers::partingSheet(found), {}};
    }

    [[nodiscard]] base::Status write(const Figure& figure, const Hooks& hooks) const
    {
        if (!isPicture(m_out))
            return numbers::writeSheet(figure.sheet, m_out);
        if (!hooks.paintFigure)
            return Error{ErrorCode::Unsupported, "this program was built without its views, which draw", "numbers"};
        return hooks.paintFigure({figure, m_model + " · " + m_what, m_out, m_theme, m_scale});
    }

    [[nodiscard]] Result<Figure> figureOf(const Material& material, const base::Work& work) const
    {
        if (m_what == "batches")
            return batches(material);
        if (m_what == "zoo")
            return zoo(material, work);
        if (m_what == "parting")
            return parting(material, work);
        if (m_what == "search" || m_what == "channels" || m_what == "axes")
            return ofObserver(material, work);
        GB_ASSIGN(Sheet sheet, sheetOf(material, work));
        return Figure{std::move(sheet), {}};
    }

    [[nodiscard]] Result<Sheet> sheetOf(const Material& material, const base::Work& work) const
    {
        if (m_what == "error")
            return errors(material, work);
        if (m_what == "data")
            return data(material);
        if (m_what == "gain")
            return numbers::gainSheet(material, work);
        if (m_what == "storage") {
            GB_ASSIGN(const numbers::Storage storage, numbers::storageOf(material.recording));
            return numbers::storageSheet(storage);
        }
        GB_ASSIGN(const auto rows, numbers::qparamsRows(material.recording));
        return numbers::qparamsSheet(rows);
    }

    [[nodiscard]] Result<Sheet> errors(const Material& material, const base::Work& work) const
    {
        GB_ASSIGN(const std::vector<numbers::Change> changes, m_changes.changes(material));
        GB_ASSIGN(const engine::CalibratedPtr model, numbers::changed(material, changes, work));
        GB_ASSIGN(const auto converted, numbers::convertedCopy(*model, work));
        GB_ASSIGN(const numbers::ErrorReport report, numbers::opErrors(material, *converted, work));
        if (!m_overlay.empty())
            return numbers::overlaySheet(report, m_overlay == "local"        ? numbers::ErrorFigure::LocalSqnr
                                                 : m_overlay == "cumulative" ? numbers::ErrorFigure::CumulativeSqnr
                                                                             : numbers::ErrorFigure::LargestGap);
        Sheet sheet = numbers::errorSheet(report);
        if (changes.empty())
            return sheet;
        GB_ASSIGN(const numbers::ErrorReport before, numbers::opErrors(material, work));
        for (base::Message& note : numbers::gainNotes(before, report, changes))
            sheet.notes.push_back(std::move(note));
        return sheet;
    }

    /// What was calibrated on, as it was run; then what errors are measured on, where that is another set.
    [[nodiscard]] static Result<Sheet> data(const Material& material)
    {
        numbers::BatchList list{material.calibration, {}, {}};
        for (const ir::Node* node = material.program->graph().first(); node; node = node->next())
            if (node->op() == ir::Op::Placeholder)
                list.inputs.push_back(node->name());
        Sheet sheet = numbers::batchSheet(list);
        sheet.columns.back() = {"set", base::message("set")};
        for (numbers::SheetRow& row : sheet.rows)
            row.cells.back() = std::string("calibration");
        list.batches = material.check;
        for (numbers::SheetRow& row : numbers::batchSheet(list).rows) {
            row.cells.back() = std::string("check");
            sheet.rows.push_back(std::move(row));
        }
        return sheet;
    }

    /// Of all observers, or of one; the picture is one's.
    [[nodiscard]] Result<Figure> batches(const Material& material) const
    {
        std::vector<numbers::History> all = numbers::historiesOf(*material.recording);
        if (!m_site.empty())
            std::erase_if(all, [this](const numbers::History& history) { return history.name != m_site; });
        if (all.empty())
            return Error{ErrorCode::NotFound, say("found \"{0}\", an observer that ran expected", m_site), "--site"};
        // a picture shows one: the first whose range still moved after the first batch
        const auto moved = std::ranges::find_if(all, [](const numbers::History& h) { return h.lastChange() > 0; });
        const numbers::History& shown = moved == all.end() ? all.front() : *moved;
        return Figure{numbers::historySheet(isPicture(m_out) ? std::vector{shown} : all),
                      numbers::BatchesFigure{shown, -1}};
    }

    [[nodiscard]] Result<Figure> zoo(const Material& material, const base::Work& work) const
    {
        const ir::Node* node = material.calibrated->module->graph().find(m_site);
        if (!node || node->op() == ir::Op::CallModule)
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
        GB_ASSIGN(numbers::ZooFigure figure, numbers::zooFigure(material, node->id(), observers, work));
        Sheet sheet = numbers::zooSheet(figure.animals);
        return Figure{std::move(sheet), std::move(figure)};
    }

    /// search, channels and axes: of one observer.
    [[nodiscard]] Result<Figure> ofObserver(const Material& material, const base::Work& work) const
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
            auto replay = numbers::replaySearch(observer->settings(), observer->state());
            if (!replay)
                return Error{ErrorCode::Usage, say("{0} has no histogram to search", m_site), "--site"};
            Sheet sheet = numbers::searchSheet(*replay);
            return Figure{std::move(sheet), numbers::SearchFigure{m_site, observer->settings(), observer->state(),
                                                                  std::move(*replay), -1}};
        }
        numbers::ChannelsFigure figure =
            numbers::channelsFigure(model.graph(), node->id(), observer->settings(), observer->state());
        GB_TRY(numbers::addValues(figure, material, node->id(), work));
        Sheet sheet = m_what == "axes" ? numbers::axisSheet(figure.axes) : numbers::channelSheet(figure.channels);
        return Figure{std::move(sheet), std::move(figure)};
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
    ChangeOptions m_changes;
    std::string m_site;
    std::string m_observers;
    std::string m_against;
    std::string m_overlay;
    std::string m_model; ///< its name, for titles
    std::string m_out;
    std::string m_theme = "print";
    double m_scale = 2;
};

} // namespace

std::unique_ptr<Verb> makeNumbersVerb()
{
    return std::make_unique<NumbersVerb>();
}

} // namespace gb::cli
