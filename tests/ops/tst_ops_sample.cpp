// grid_sampler, affine grids and the wider upsample ops: the calls recorded from torch.
#include "family_test.h"

#include <cmath>

using namespace gb;
using ir::Tensor;
using ops_test::evaluate;
using ops_test::ones;
using ops_test::ramp;

class TestOpsSample : public QObject {
    Q_OBJECT

private Q_SLOTS:
    GB_FAMILY_SLOTS("sample")

    void theIdentityGridGivesTheImage()
    {
        const Tensor theta = Tensor::fromVector(std::vector<float>{1, 0, 0, 0, 1, 0}, {1, 2, 3});
        const Tensor image = ramp({1, 2, 4, 5});
        const auto grid = evaluate("aten.affine_grid_generator.default", {theta, ops::ValueList{1, 2, 4, 5}, true});
        QVERIFY(grid.ok());
        const auto out = evaluate("aten.grid_sampler.default", {image, *grid, 0, 0, true});
        QVERIFY(out.ok());
        for (int i = 0; i < 40; ++i)
            QVERIFY(std::fabs(out->tensor()->at(i) - image.at(i)) < 1e-4);
    }
    void anUnknownModeIsRefused()
    {
        GB_REFUSED(evaluate("aten.grid_sampler.default", {ones({1, 1, 2, 2}), ones({1, 1, 1, 2}), 3, 0, false}),
                   RuntimeError, "interpolation 3");
    }
};

QTEST_GUILESS_MAIN(TestOpsSample)
#include "tst_ops_sample.moc"
