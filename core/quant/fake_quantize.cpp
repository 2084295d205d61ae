#include "quant/fake_quantize.h"

#include "base/message.h"
#include "quant/fake_quantize_kernel.h"

#include <cstring>

namespace gb::quant {
namespace {

using base::Error;
using base::ErrorCode;
using base::say;
using ir::Tensor;

/// The observer keyword: the nested constructor's class and keywords.
base::Result<Keywords> nestedConstructor(const Keywords& keywords)
{
    const ir::Argument* value = keywords.find("observer");
    if (!value)
        return Keywords("MovingAverageMinMaxObserver", {});
    if (const auto* name = value->as<std::string>())
        return Keywords(*name, {});
    const auto* mapping = value->as<ir::Mapping>();
    const Keywords parts(keywords.className(), mapping ? mapping->items : Keywords::Items{});
    const ir::Argument* className = parts.find("observer");
    const auto* name = className ? className->as<std::string>() : nullptr;
    if (!name)
        return Error{
            ErrorCode::TypeError, say("{0}: observer takes the name of an observer", keywords.className()), {}};
    const ir::Argument* args = parts.find("args");
    const auto* items = args ? args->as<ir::Mapping>() : nullptr;
    return Keywords(*name, items ? items->items : Keywords::Items{});
}

/// The asserts on quant_min and quant_max; dtype is the nested constructor's, else the fake quantize's own.
base::Status checkRange(std::int64_t least, std::int64_t most, const QuantDType& dtype)
{
    if (least > most)
        return Error{ErrorCode::AssertionError, "quant_min must be less than or equal to quant_max", {}};
    GB_ASSIGN(const auto info, integerInfo(dtype));
    if (info.first > least)
        return Error{ErrorCode::AssertionError, "quant_min out of bound", {}};
    if (most > info.second)
        return Error{ErrorCode::AssertionError, "quant_max out of bound", {}};
    return {};
}

bool hasFloatQParams(const Observer& observer)
{
    return observer.settings().qscheme == ir::QScheme::PerChannelAffineFloatQParams;
}

} // namespace

base::Result<std::shared_ptr<Observer>> FakeQuantize::makeInner(const Keywords& keywords,
                                                                const ObserverFactory& factory,
                                                                std::optional<std::int64_t> defaultMin,
                                                                std::optional<std::int64_t> defaultMax)
{
    GB_ASSIGN(Keywords nested, nestedConstructor(keywords));
    if (nested.className().find("FakeQuantize") != std::string::npos)
        return Error{ErrorCode::Unsupported, say("{0}: a fake quantize inside of another", keywords.className()), {}};
    GB_ASSIGN(const std::optional<std::int64_t> least, keywords.integer("quant_min", defaultMin));
    GB_ASSIGN(const std::optional<std::int64_t> most, keywords.integer("quant_max", defaultMax));
    if (least && most)
        GB_TRY(checkRange(*least, *most, nested.find("dtype") ? nested.dtype() : keywords.dtype()));
    for (const auto& [name, value] : keywords.items())
        if (name != "observer" && name != "quant_min" && name != "quant_max" && name != "is_dynamic")
            nested.set(name, value);
    if (least && most) {
        nested.set("quant_min", *least);
        nested.set("quant_max", *most);
    }
    nested.set("is_dynamic", keywords.truth("is_dynamic"));
    GB_ASSIGN(std::shared_ptr<Observer> observer, factory(nested));
    if (!observer->settings().qscheme)
        return Error{ErrorCode::AssertionError,
                     "Only per channel and per tensor quantization are supported in fake quantize got qscheme: None",
                     {}};
    return observer;
}

base::Result<std::shared_ptr<Observer>> FakeQuantize::make(const Keywords& keywords, const ObserverFactory& factory)
{
    GB_ASSIGN(std::shared_ptr<Observer> observer, makeInner(keywords, factory, std::nullopt, std::nullopt));
    return std::shared_ptr<Observer>(new FakeQuantize(std::move(observer)));
}

base::Result<std::shared_ptr<Observer>> FakeQuantize::makeFixed(const Keywords& keywords,
                                                                const ObserverFactory& factory)
{
    GB_TRY(keywords.require({"observer"}));
    GB_TRY(keywords.allowOnly({"observer"}, keywords.className()));
    GB_ASSIGN(std::shared_ptr<Observer> observer, makeInner(keywords, factory, std::nullopt, std::nullopt));
    if (std::strcmp(observer->typeName(), "FixedQParamsObserver") != 0)
        return Error{
            ErrorCode::AssertionError, "FixedQParamsFakeQuantize's observer must be a FixedQParamsObserver", {}};
    if (ir::isPerChannel(*observer->settings().qscheme))
        return Error{
            ErrorCode::AssertionError,
            say("Only per tensor quantization is supported FixedQParamsFakeQuantize module, got qscheme:torch.{0}",
                ir::name(*observer->settings().qscheme)),
            {}};
    std::shared_ptr<FakeQuantize> made(new FakeQuantize(std::move(observer)));
    GB_ASSIGN(const QParams qparams, made->calculateQParams());
    made->use(qparams);
    return std::shared_ptr<Observer>(std::move(made));
}

FakeQuantize::FakeQuantize(std::shared_ptr<Observer> observer)
    : m_observer(std::move(observer))
    , m_used{Tensor::fromVector(std::vector<float>{1.0F}), Tensor::fromVector(std::vector<std::int32_t>{0})}
{
    if (hasFloatQParams(*m_observer))
        m_used.zeroPoint = Tensor::fromVector(std::vector<float>{0.0F});
}

FakeQuantize::FakeQuantize(const FakeQuantize& other)
    : Observer(other)
    , m_observer(other.m_observer->copy())
    , m_used(other.m_used)
    , m_observerEnabled(other.m_observerEnabled)
    , m_fakeQuantEnabled(other.m_fakeQuantEnabled)
    , m_batches(other.m_batches)
{
}

const char* FakeQuantize::typeName() const
{
    const bool fixed = std::strcmp(m_observer->typeName(), "FixedQParamsObserver") == 0;
    return fixed ? "FixedQParamsFakeQuantize" : "FakeQuantize";
}

void FakeQuantize::use(const QParams& qparams)
{
    m_used.scale = qparams.scale.to(ir::DType::Float32);
    m_used.zeroPoint = qparams.zeroPoint.to(hasFloatQParams(*m_observer) ? ir::DType::Float32 : ir::DType::Int32);
}

base::Result<Tensor> FakeQuantize::rounded(const Tensor& x) const
{
    const ObserverSettings& of = settings();
    if (!of.quantMin || !of.quantMax)
        return Error{ErrorCode::TypeError,
                     "fake_quantize_per_tensor_affine() received an invalid combination of arguments - got (Tensor, "
                     "Tensor, Tensor, NoneType, NoneType), but expected one of:",
                     {}};
    if (ir::isPerChannel(*of.qscheme)) // fakequant_f4
        return fakeQuantizePerChannel(x, m_used, of.chAxis.value_or(-1), *of.quantMin, *of.quantMax);
    return fakeQuantizePerTensor(x, m_used, *of.quantMin, *of.quantMax);
}

base::Result<Tensor> FakeQuantize::run(const Tensor& x, base::Pool* pool)
{
    countBatch();
    if (m_observerEnabled) { // fakequant_f3
        GB_TRY(m_observer->forward(x, pool));
        GB_ASSIGN(const QParams qparams, calculateQParams());
        use(qparams);
    }
    if (m_fakeQuantEnabled)
        return rounded(x);
    return x;
}

ObserverState FakeQuantize::state() const
{
    ObserverState state = m_observer->state();
    state.used = m_used;
    state.batches = m_batches;
    return state;
}

} // namespace gb::quant
