// Symbolic sizes: sympy's srepr in, sympy's str out. The pairs were printed by sympy with torch 2.14's functions.
#include "io/sym_expr.h"

#include <QtTest>

using namespace gb;

class TestSymExpr : public QObject {
    Q_OBJECT

private slots:
    void printsAsSympyDoes_data();
    void printsAsSympyDoes();
    void refusesWhatIsNoExpression_data();
    void refusesWhatIsNoExpression();
    void takesLinearTimeForNestedSums();
};

void TestSymExpr::printsAsSympyDoes_data()
{
    QTest::addColumn<QString>("srepr");
    QTest::addColumn<QString>("printed");
    const std::pair<const char*, const char*> rows[] = {
        {R"(Add(Symbol('s0', integer=True), Symbol('s1', integer=True)))", "s0 + s1"},
        {R"(Add(Mul(Symbol('s0', integer=True), Symbol('s1', integer=True)), Symbol('s0', integer=True)))",
         "s0*s1 + s0"},
        {R"(Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1)))", "2*s0 + 1"},
        {R"(Add(Integer(1), Mul(Integer(-1), Symbol('s0', integer=True))))", "1 - s0"},
        {R"(Add(Symbol('s0', integer=True), Integer(-1)))", "s0 - 1"},
        {R"(Mul(Integer(-1), Symbol('s0', integer=True)))", "-s0"},
        {R"(Add(Integer(3), Mul(Integer(-1), Integer(2), Symbol('s0', integer=True))))", "3 - 2*s0"},
        {R"(Add(Pow(Symbol('s0', integer=True), Integer(2)), Symbol('s0', integer=True), Integer(1)))",
         "s0**2 + s0 + 1"},
        {R"(Mul(Symbol('s0', integer=True), Symbol('s1', integer=True), Symbol('s77', integer=True)))", "s0*s1*s77"},
        {R"(Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(2)))", "2*s0 + 2"},
        {R"(Pow(Add(Symbol('s0', integer=True), Symbol('s1', integer=True)), Integer(2)))", "(s0 + s1)**2"},
        {R"(FloorDiv(Symbol('s0', integer=True), Integer(2)))", "(s0//2)"},
        {R"(Add(FloorDiv(Add(Symbol('s0', integer=True), Integer(-1)), Integer(2)), Integer(1)))",
         "(((s0 - 1)//2)) + 1"},
        {R"(Mul(Symbol('s1', integer=True), FloorDiv(Add(FloorDiv(Add(Symbol('s0', integer=True), Integer(-1)), Integer(2)), Integer(1)), Integer(3))))",
         "s1*((((((s0 - 1)//2)) + 1)//3))"},
        {R"(Mod(Symbol('s0', integer=True), Integer(3)))", "Mod(s0, 3)"},
        {R"(Add(Mod(Symbol('s0', integer=True), Integer(3)), Integer(1)))", "(Mod(s0, 3)) + 1"},
        {R"(Mul(Integer(2), PythonMod(Symbol('s0', integer=True), Integer(3))))", "2*(PythonMod(s0, 3))"},
        {R"(Max(Symbol('s0', integer=True), Symbol('s1', integer=True)))", "Max(s0, s1)"},
        {R"(Add(Min(Integer(4), Symbol('s0', integer=True)), Integer(1)))", "Min(4, s0) + 1"},
        {R"(Mul(Symbol('s0', integer=True), Pow(Symbol('s1', integer=True), Integer(-1))))", "s0/s1"},
        {R"(Pow(Symbol('s0', integer=True), Integer(-1)))", "1/s0"},
        {R"(Mul(Rational(1, 2), Symbol('s0', integer=True)))", "s0/2"},
        {R"(Mul(Rational(3, 2), Symbol('s0', integer=True), Pow(Symbol('s1', integer=True), Integer(-1))))",
         "3*s0/(2*s1)"},
        {R"(Pow(Symbol('s0', integer=True), Integer(-2)))", "s0**(-2)"},
        {R"(Pow(Symbol('s0', integer=True), Rational(1, 2)))", "sqrt(s0)"},
        {R"(Mul(Symbol('s0', integer=True), Pow(Add(Symbol('s1', integer=True), Integer(1)), Integer(-1))))",
         "s0/(s1 + 1)"},
        {R"(Mul(Symbol('s0', integer=True), Add(Symbol('s1', integer=True), Integer(1)), Pow(Add(Symbol('s77', integer=True), Integer(2)), Integer(-1))))",
         "s0*(s1 + 1)/(s77 + 2)"},
        {R"(CeilToInt(IntTrueDiv(Symbol('s0', integer=True), Integer(2))))", "CeilToInt(IntTrueDiv(s0, 2))"},
        {R"(Add(ToFloat(Symbol('s0', integer=True)), Float('1.5', precision=53)))", "ToFloat(s0) + 1.5"},
        {R"(TruncToInt(FloatTrueDiv(ToFloat(Symbol('s0', integer=True)), ToFloat(Symbol('s1', integer=True)))))",
         "TruncToInt(FloatTrueDiv(ToFloat(s0), ToFloat(s1)))"},
        {R"(Equality(Symbol('s0', integer=True), Symbol('s1', integer=True)))", "Eq(s0, s1)"},
        {R"(Unequality(Symbol('s0', integer=True), Integer(3)))", "Ne(s0, 3)"},
        {R"(StrictGreaterThan(Symbol('s0', integer=True), Integer(3)))", "s0 > 3"},
        {R"(And(StrictGreaterThan(Symbol('s0', integer=True), Integer(3)), StrictLessThan(Symbol('s1', integer=True), Integer(2))))",
         "(s0 > 3) & (s1 < 2)"},
        {R"(Or(StrictGreaterThan(Symbol('s0', integer=True), Integer(3)), StrictLessThan(Symbol('s1', integer=True), Integer(2))))",
         "(s0 > 3) | (s1 < 2)"},
        {R"(Unequality(Symbol('s0', integer=True), Symbol('s1', integer=True)))", "Ne(s0, s1)"},
        {R"(Add(Mul(Integer(-1), Symbol('s0', integer=True)), Mul(Integer(-1), Symbol('s1', integer=True))))",
         "-s0 - s1"},
        {R"(Add(Symbol('s0', integer=True), Mul(Integer(-1), Symbol('s1', integer=True))))", "s0 - s1"},
        {R"(Add(Mul(Integer(-1), Symbol('s0', integer=True)), Symbol('s1', integer=True)))", "-s0 + s1"},
        {R"(Mul(Integer(-1), FloorDiv(Symbol('s0', integer=True), Integer(2))))", "-((s0//2))"},
        {R"(Mul(Integer(2), FloorDiv(Symbol('s0', integer=True), Integer(2))))", "2*((s0//2))"},
        {R"(Add(Mul(Symbol('s1', integer=True), FloorDiv(Symbol('s0', integer=True), Integer(2))), Integer(1)))",
         "s1*((s0//2)) + 1"},
        {R"(Pow(Symbol('s0', integer=True), Symbol('s1', integer=True)))", "s0**s1"},
        {R"(ModularIndexing(Symbol('s0', integer=True), Integer(2), Integer(3)))", "ModularIndexing(s0, 2, 3)"},
        {R"(CleanDiv(Symbol('s0', integer=True), Symbol('s1', integer=True)))", "(s0//s1)"},
        {R"(Add(Mul(Symbol('s0', integer=True), FloorDiv(Symbol('s1', integer=True), Integer(2))), Symbol('s0', integer=True)))",
         "s0*((s1//2)) + s0"},
        {R"(Where(Equality(Symbol('s0', integer=True), Symbol('s1', integer=True)), Symbol('s0', integer=True), Symbol('s1', integer=True)))",
         "Where(Eq(s0, s1), s0, s1)"},
        {R"(Mul(Integer(2), Symbol('s0', integer=True)))", "2*s0"},
        {R"(Pow(Symbol('s0', integer=True), Integer(3)))", "s0**3"},
        {R"(Mul(Integer(2), Max(Integer(1), Add(Symbol('s0', integer=True), Integer(-3)))))", "2*Max(1, s0 - 3)"},
        {R"(Add(Mul(Symbol('s0', integer=True), Symbol('s1', integer=True)), Mul(Integer(-1), Integer(3), Symbol('s0', integer=True)), Integer(2)))",
         "s0*s1 - 3*s0 + 2"},
        {R"(Add(Mul(Integer(10), Symbol('s0', integer=True)), Symbol('s1', integer=True), Mul(Integer(2), Symbol('s77', integer=True))))",
         "10*s0 + s1 + 2*s77"},
        {R"(Add(Symbol('s0', integer=True), Symbol('u0', integer=True)))", "s0 + u0"},
        {R"(Add(Mul(Symbol('s0', integer=True), Pow(Symbol('s77', integer=True), Integer(2))), Pow(Symbol('s1', integer=True), Integer(3))))",
         "s0*s77**2 + s1**3"},
        {R"(Mul(Integer(-1), Integer(2), Symbol('s0', integer=True), Symbol('s1', integer=True)))", "-2*s0*s1"},
        {R"(Mul(Symbol('s1', integer=True), Add(Mul(Integer(-1), Symbol('s0', integer=True)), Integer(-1))))",
         "s1*(-s0 - 1)"},
        {R"(Add(Mul(Integer(4), Symbol('s0', integer=True), Symbol('s1', integer=True)), Integer(-4)))", "4*s0*s1 - 4"},
    };
    for (const auto& [srepr, printed] : rows)
        QTest::newRow(printed) << QString(srepr) << QString(printed);
}

void TestSymExpr::printsAsSympyDoes()
{
    QFETCH(QString, srepr);
    QFETCH(QString, printed);
    const auto result = io::printSymbolic(srepr.toStdString());
    QVERIFY2(result.ok(), result ? "" : result.error().text().c_str());
    QCOMPARE(QString::fromStdString(*result), printed);
}

void TestSymExpr::refusesWhatIsNoExpression_data()
{
    QTest::addColumn<QString>("srepr");
    for (const char* text :
         {"", "Add(", "Symbol('s0)", "Add(Integer(1)) Integer(2)", "Add(;)", "Mul(Integer(2) Integer(3))"})
        QTest::newRow(*text ? text : "empty") << QString(text);
    QTest::newRow("too deep") << QString("Abs(").repeated(200) + QString(")").repeated(200);
}

void TestSymExpr::refusesWhatIsNoExpression()
{
    QFETCH(QString, srepr);
    const auto result = io::printSymbolic(srepr.toStdString());
    QVERIFY(!result);
    QCOMPARE(result.error().code, base::ErrorCode::Format);
    QVERIFY2(result.error().sentence.find("expected at character") != std::string::npos,
             result.error().sentence.c_str());
}

void TestSymExpr::takesLinearTimeForNestedSums()
{
    // each level looks at its argument several times: without care 2^45 prints
    QString text = "Symbol('s0', integer=True)";
    for (int i = 0; i < 45; ++i)
        text = "FloorDiv(Add(" + text + ", Integer(1)), Integer(2))";
    const auto result = io::printSymbolic(text.toStdString());
    QVERIFY(result.ok());
    QVERIFY(result->ends_with("+ 1)//2)"));
}

QTEST_GUILESS_MAIN(TestSymExpr)
#include "tst_sym_expr.moc"
