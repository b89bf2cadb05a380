/** The look of the report: light and dark, and shapes that need no colour. */
export const STYLE = `
:root { color-scheme: light dark;
  --bg: #f5f6fa; --panel: #fff; --line: #dfe1e8; --text: #1b1c26; --soft: #5c5f6e; --accent: #4440bd; --lane: #e9ebfd;
  --red: #c01a26; --red-bg: #fde8e6; --amber: #8a5a00; --amber-bg: #d0b48a; --green: #0b7542; --code: #eeeff3; --shade: #8b8d9b; }
@media (prefers-color-scheme: dark) { :root {
  --bg: #16171d; --panel: #1e2027; --line: #363944; --text: #eceef4; --soft: #a6a9b8; --accent: #a5a2ff; --lane: #262846;
  --red: #ff8a85; --red-bg: #46201f; --amber: #e5b767; --amber-bg: #7a6036; --green: #63d39b; --code: #282a33; --shade: #80838f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0; } h2 { font-size: 16px; margin: 0; flex: 1 1 20ch; } h3 { font-size: 13px; margin: 12px 0 0; }
p { margin: 4px 0; max-width: 90ch; }
code, pre, .facts { font: 12.5px/1.6 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
.brand { display: flex; align-items: center; gap: 8px; color: var(--soft); font-size: 12.5px; margin-bottom: 16px; }
.brand svg { width: 14px; height: 18px; fill: var(--accent); flex: none; }
.server { margin-bottom: 40px; }
.verdict { display: flex; gap: 16px; align-items: flex-start; }
.letter { flex: none; width: 64px; height: 64px; border-radius: 8px; display: grid; place-items: center; font-size: 32px;
  font-weight: 700; background: var(--panel); border: 1px solid var(--line); }
.letter.bad { background: var(--red-bg); border-color: transparent; }
.facts, .soft { color: var(--soft); } .facts { overflow-wrap: anywhere; }
.good { color: var(--green); } .bad { color: var(--red); } .warn { color: var(--amber); }
.strip { display: flex; gap: 3px; margin: 16px 0 6px; } .strip i { flex: 1; height: 24px; border-radius: 3px; background: var(--line); }
.strip .bad { background: var(--red); } .strip .good { background: var(--green); } .strip .warn { background: var(--amber-bg); }
.sum, .legend, .evidence { list-style: none; padding: 0; margin: 0; }
.sum { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 12.5px; } .sum li:not([class]), .sum li[class=''] { color: var(--soft); }
.card { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 16px 18px; margin-top: 18px; }
.card > header { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: baseline; margin-bottom: 10px; }
.pill { background: var(--red-bg); color: var(--red); border-radius: 99px; padding: 1px 10px; font-size: 12.5px; font-weight: 600; }
.level { border: 1px solid var(--line); border-radius: 4px; padding: 1px 8px; font-size: 12px; color: var(--soft); }
.lanes { margin: 0 -18px 8px; padding: 6px 18px; background: var(--lane); border-block: 1px solid var(--line); }
.evidence li { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; padding: 2px 0; }
.evidence code { min-width: 26ch; } .evidence span { flex: 1 1 30ch; color: var(--soft); }
.evidence details { margin-left: auto; } .evidence details[open] { flex-basis: 100%; } summary { cursor: pointer; }
.evidence summary { color: var(--soft); font-size: 12.5px; text-decoration: underline; text-underline-offset: 2px; }
pre { background: var(--code); border-radius: 6px; padding: 10px 12px; margin: 8px 0 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
pre ins { color: var(--green); font-weight: 600; text-decoration: none; } pre del { color: var(--red); text-decoration: none; }
.tabs { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 6px; } .tabs pre { order: 9; flex-basis: 100%; display: none; margin: 2px 0 0; }
.tabs input { position: absolute; opacity: 0; } .tabs label { padding: 3px 10px; border: 1px solid transparent; border-radius: 6px; color: var(--soft); cursor: pointer; }
.tabs input:checked + label { border-color: var(--line); color: var(--text); font-weight: 600; } .tabs input:focus-visible + label { outline: 2px solid var(--accent); }
.tabs input:checked + label + pre { display: block; }
.again { margin-top: 12px; } .again code { user-select: all; }
table { width: 100%; border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; }
th { font-weight: 500; color: var(--soft); } th, td { padding: 4px 6px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
.overview th, .overview td, .words td { text-align: left; } .overview td:last-child, .words td:last-child { white-space: normal; }
td a { color: inherit; text-underline-offset: 3px; }
.scroll { overflow-x: auto; }
.scenario { border-bottom: 1px solid var(--line); padding: 6px 0; } .scenario:last-child { border: 0; }
svg[role=img] { display: block; width: 100%; min-width: 560px; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.rail { stroke: var(--line); } .tick { stroke: var(--shade); } .gap { fill: url(#shading); }
.reload { fill: var(--accent); } .reload text { fill: var(--accent); font-weight: 600; }
.live rect { fill: var(--accent); }
.replayed rect { fill: url(#hatch); stroke: var(--accent); stroke-width: 1; }
.duplicate rect { fill: var(--panel); stroke: var(--shade); stroke-width: 1; }
.lost rect { fill: var(--panel); stroke: var(--red); stroke-width: 1.4; } .lost path { stroke: var(--red); stroke-width: 1.4; fill: none; }
.result circle { fill: var(--accent); } .result path { stroke: var(--panel); stroke-width: 1.8; fill: none; }
.question path { fill: var(--panel); stroke: var(--accent); } .answered path { fill: var(--accent); }
.legend { display: flex; gap: 6px 20px; flex-wrap: wrap; font-size: 12.5px; color: var(--soft); margin: 16px 0 8px; }
.legend li { display: flex; gap: 6px; align-items: center; } .legend svg { width: 22px; height: 24px; }
@media print { body { background: none; } .card { break-inside: avoid; } }
`;
