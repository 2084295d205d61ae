<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>gb::app::MainWindow</name>
    <message numerus="yes">
        <source>%n file(s) written to %1</source>
        <translation>
            <numerusform>%n file written to %1</numerusform>
            <numerusform>%n files written to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n name(s) of no node, the first is %1</source>
        <translation>
            <numerusform>%n name of no node: %1</numerusform>
            <numerusform>%n names of no node, the first is %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gb::views::EventTreeModel</name>
    <message numerus="yes">
        <source>%n without effect</source>
        <translation>
            <numerusform>%n without effect</numerusform>
            <numerusform>%n without effect</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s) without effect</source>
        <translation>
            <numerusform>%n attempt without effect</numerusform>
            <numerusform>%n attempts without effect</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, with %n attempt(s)</source>
        <translation>
            <numerusform>%1, with %n attempt</numerusform>
            <numerusform>%1, with %n attempts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>+%n label(s)</source>
        <translation>
            <numerusform>+%n label</numerusform>
            <numerusform>+%n labels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>+%n observer(s)</source>
        <translation>
            <numerusform>+%n observer</numerusform>
            <numerusform>+%n observers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>+%n node(s)</source>
        <translation>
            <numerusform>+%n node</numerusform>
            <numerusform>+%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>−%n node(s)</source>
        <translation>
            <numerusform>−%n node</numerusform>
            <numerusform>−%n nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gb::views::InsideView</name>
    <message numerus="yes">
        <source>Inside event %1: %n step(s). F11 goes in.</source>
        <translation>
            <numerusform>Inside event %1: %n step. F11 goes in.</numerusform>
            <numerusform>Inside event %1: %n steps. F11 goes in.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gb::views::PaneArea</name>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n annotated</source>
        <translation>
            <numerusform>%n annotated</numerusform>
            <numerusform>%n annotated</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n observer(s)</source>
        <translation>
            <numerusform>%n observer</numerusform>
            <numerusform>%n observers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gb::views::SearchView</name>
    <message numerus="yes">
        <source>%n node(s) found</source>
        <translation>
            <numerusform>%n node found</numerusform>
            <numerusform>%n nodes found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gb::views::BreakpointList</name>
    <message numerus="yes">
        <source>%1 — %n stop(s)</source>
        <translation>
            <numerusform>%1 — %n stop</numerusform>
            <numerusform>%1 — %n stops</numerusform>
        </translation>
    </message>
</context>
</TS>
