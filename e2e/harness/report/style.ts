/** The look of the report: the tokens of the app, light and dark, and shapes that need no colour. */
export const STYLE = `
:root { color-scheme: light dark;
  --bg: oklch(98.5% 0.004 80); --panel: oklch(100% 0 0); --line: oklch(88% 0.008 80); --text: oklch(26% 0.012 80);
  --soft: oklch(47% 0.012 80); --accent: oklch(45% 0.17 275); --red: oklch(52% 0.19 27); --amber: oklch(50% 0.11 70);
  --green: oklch(48% 0.12 155); --shade: oklch(62% 0.01 80); }
@media (prefers-color-scheme: dark) { :root {
  --bg: oklch(18% 0.008 80); --panel: oklch(22% 0.009 80); --line: oklch(33% 0.01 80); --text: oklch(93% 0.006 80);
  --soft: oklch(74% 0.01 80); --accent: oklch(74% 0.13 280); --red: oklch(72% 0.16 25); --amber: oklch(80% 0.12 80);
  --green: oklch(77% 0.13 155); --shade: oklch(60% 0.01 80); } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 64px; }
h1 { font-size: 20px; margin: 0; } h2 { font-size: 15px; margin: 0; } h3 { font-size: 15px; margin: 0; }
.brand { display: flex; align-items: center; gap: 8px; color: var(--soft); font-size: 13px; margin-bottom: 16px; }
.brand svg { width: 14px; height: 18px; fill: currentColor; }
.server { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 20px; margin-bottom: 24px; }
.verdict { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; align-items: center; }
.letter { grid-row: span 2; width: 56px; height: 56px; border: 2px solid currentColor; border-radius: 6px; display: grid;
  place-items: center; font-size: 28px; font-weight: 600; }
.facts { color: var(--soft); font-size: 13px; margin: 12px 0 0; overflow-wrap: anywhere; }
.good { color: var(--green); } .bad { color: var(--red); } .warn { color: var(--amber); }
table { width: 100%; border-collapse: collapse; font-size: 13px; margin-top: 16px; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 500; color: var(--soft); } td { text-align: right; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
th, td { padding: 4px 8px; border-bottom: 1px solid var(--line); white-space: nowrap; }
.overview th, .overview td { text-align: left; } .overview td:last-child { white-space: normal; min-width: 220px; }
td a { color: inherit; text-underline-offset: 3px; }
.scroll { overflow-x: auto; }
.scenario { border-top: 1px solid var(--line); padding: 16px 0 4px; margin-top: 16px; }
.scenario header { display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap; }
.badge { font-size: 13px; font-weight: 600; border: 1px solid currentColor; border-radius: 6px; padding: 0 8px; }
.why { margin: 6px 0; max-width: 76ch; } .fix { margin: 6px 0; max-width: 76ch; }
.remark { color: var(--soft); font-size: 13px; margin: 4px 0; }
pre { font: 12.5px/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--bg);
  border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; overflow-x: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; }
svg[role=img] { display: block; width: 100%; min-width: 640px; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.rail { stroke: var(--line); } .tick { stroke: var(--shade); }
.gap { fill: url(#shading); }
.reload { fill: var(--text); } .reload text { fill: var(--text); font-weight: 600; }
.live rect { fill: var(--accent); }
.replayed rect { fill: url(#hatch); stroke: var(--accent); stroke-width: 1; }
.duplicate rect { fill: var(--panel); stroke: var(--shade); stroke-width: 1; }
.lost rect { fill: var(--panel); stroke: var(--red); stroke-width: 1.4; } .lost path { stroke: var(--red); stroke-width: 1.4; fill: none; }
.result circle { fill: var(--accent); } .result path { stroke: var(--panel); stroke-width: 1.8; fill: none; }
.question path { fill: var(--panel); stroke: var(--accent); } .answered path { fill: var(--accent); }
.legend { display: flex; gap: 20px; flex-wrap: wrap; font-size: 13px; color: var(--soft); margin: 16px 0 0; padding: 0; list-style: none; }
.legend li { display: flex; gap: 6px; align-items: center; } .legend svg { width: 22px; height: 24px; }
@media print { body { background: none; } .server { border: 0; padding: 0; } }
`;
