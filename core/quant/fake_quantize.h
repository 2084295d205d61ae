// FakeQuantize: an observer, and then its input rounded to what quantization would leave of it.
//
// Source: torchao/quantization/pt2e/fake_quantize.py (FakeQuantizeBase, FakeQuantize, FixedQParamsFakeQuantize).
//
// fakequant_f3: while the observer is enabled, a batch goes to it and scale and zero_point become its qparams.
// fakequant_f4: while fake quant is enabled, the input is rounded with scale and zero_point (fake_quantize_kernel.h).
// FixedQParamsFakeQuantize is the same over a FixedQParamsObserver.
//
// Thread: one at a time.
#pragma once

#include "quant/keywords.h"
#include "quant/observer.h"

#include <functional>

namespace gb::quant {

/// Makes the observer of a fake quantize from its class name and keywords.
using ObserverFactory = std::function<base::Result<std::shared_ptr<Observer>>(const Keywords&)>;

class FakeQuantize : public Observer {
public:
    /// Keywords: observer (a class name, or {"observer": name, "args": {...}}; MovingAverageMinMaxObserver by default),
    /// quant_min, quant_max, is_dynamic, and those of the observer, which go before the nested ones. Errors: those of
    /// the observer, AssertionError for a range outside of the dtype and for a qscheme that is None.
    static base::Result<std::shared_ptr<Observer>> make(const Keywords& keywords, const ObserverFactory& factory);
    /// FixedQParamsFakeQuantize(observer=...). Errors also: AssertionError for another observer.
    static base::Result<std::shared_ptr<Observer>> makeFixed(const Keywords& keywords, const ObserverFactory& factory);

    FakeQuantize(const FakeQuantize& other);
    FakeQuantize& operator=(const FakeQuantize&) = delete;

    [[nodiscard]] const char* typeName() const override;
    [[nodiscard]] const ObserverSettings& settings() const final { return m_observer->settings(); }
    [[nodiscard]] base::Result<QParams> calculateQParams() const final { return m_observer->calculateQParams(); }
    [[nodiscard]] ObserverState state() const final;
    [[nodiscard]] const Observer* inner() const final { return m_observer.get(); }
    [[nodiscard]] bool observerEnabled() const final { return m_observerEnabled; }
    [[nodiscard]] bool fakeQuantEnabled() const final { return m_fakeQuantEnabled; }
    void setObserverEnabled(bool enabled) final { m_observerEnabled = enabled; }
    void setFakeQuantEnabled(bool enabled) final { m_fakeQuantEnabled = enabled; }
    [[nodiscard]] std::shared_ptr<Observer> copy() const override { return std::make_shared<FakeQuantize>(*this); }

protected:
    explicit FakeQuantize(std::shared_ptr<Observer> observer);
    /// FakeQuantize.__init__ up to the observer. The defaults are the ones of the subclass's signature.
    static base::Result<std::shared_ptr<Observer>> makeInner(const Keywords& keywords, const ObserverFactory& factory,
                                                             std::optional<std::int64_t> defaultMin,
                                                             std::optional<std::int64_t> defaultMax);
    /// Rounds x with the scale and zero point as they are.
    [[nodiscard]] base::Result<ir::Tensor> rounded(const ir::Tensor& x) const;
    /// Puts in new values as copy_ does: zero points become int32, or float32 for float qparams.
    void use(const QParams& qparams);
    [[nodiscard]] Observer& observer() { return *m_observer; }
    [[nodiscard]] const QParams& used() const { return m_used; }
    void countBatch() { ++m_batches; }

private:
    base::Result<ir::Tensor> run(const ir::Tensor& x, base::Pool* pool) override;

    std::shared_ptr<Observer> m_observer;
    QParams m_used; ///< the scale and zero_point buffers
    bool m_observerEnabled = true;
    bool m_fakeQuantEnabled = true;
    std::int64_t m_batches = 0;
};

} // namespace gb::quant
